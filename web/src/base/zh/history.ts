// The history of runs.
import type { ProgramWords } from "../translate";

export const history: ProgramWords = {
  // Views, panels, tables, columns.
  History: "历史",
  Runs: "各次运行",
  Trends: "趋势",
  "Step by run": "各次运行的 Step",
  "The step before and after the change": "变化前后的 Step",
  "Operators that changed most": "变化最大的算子",
  "Lower quartile": "下四分位数",
  "Upper quartile": "上四分位数",
  Figure: "指标",
  "First to last": "从首次到末次",
  "Changed at": "变化处",
  "Change there": "该处变化",
  // Docs.
  "Its place in the order of the runs, from 1.": "在各次运行中的次序，从 1 开始。",
  "When the recording began, where the file says it": "采集开始的时间（若文件中有）",
  "Steps that were recorded completely.": "完整采集的 Step。",
  "Median length of a step.": "Step 时长的中位数。",
  "First quartile of the step lengths.": "四分之一的 Step 更短。",
  "Third quartile of the step lengths.": "四分之一的 Step 更长。",
  "How much longer a step is than in the run before.": "Step 比上一次运行长多少。",
  "Model FLOPs utilization, as in the overview.": "模型 FLOPs 利用率，与概览相同。",
  "The operators with most own time per step, on the device where there is one":
    "每个 Step 自身用时最多的算子；有设备时为设备时间",
  "How likely runs without any change would show one at least as clear by chance. Up to 0.05 it is a change; eight runs are the fewest that can show one.":
    "毫无变化的各次运行偶然呈现至少同样明显变化的概率。不超过 0.05 即为变化；至少八次运行才能看出变化。",
  "A figure of a run, or an operator's own time per step": "一次运行的指标，或算子在每个 Step 中的自身用时",
  "How much more it is in the last run than in the first.": "末次运行比首次多多少。",
  "The first run after the most likely change of its level": "水平最可能的变化之后的首次运行",
  "How much more it is after the change than before.": "变化之后比之前多多少。",
  "Whether the p-value is at most 0.05.": "p 值是否不超过 0.05。",
  "Some runs have times of a device and others have none: their operators are not comparable.":
    "有的运行有设备时间，有的没有：它们的算子不可比较。",
  // Sources and formulas.
  "start and duration of steps, with their device work": "Step 的开始与时长，以及其设备任务",
  "order of the runs": "各次运行的次序",
  "median over the kept steps": "保留的各 Step 的中位数",
  "first quartile over the kept steps, interpolated": "保留的各 Step 的第一四分位数，经插值",
  "third quartile over the kept steps, interpolated": "保留的各 Step 的第三四分位数，经插值",
  "Pettitt's test: share of 9,999 random orders of the runs with as large a Mann-Whitney statistic, over all splits":
    "Pettitt 检验：各次运行的 9,999 个随机次序中，对所有分割而言 Mann-Whitney 统计量至少同样大的比例",
  "figures of the runs": "各次运行的指标",
  "figures of the first and last run that have it": "有此指标的首次与末次运行的指标",
  "figures of the runs before and after": "此前与此后各次运行的指标",
  "there is only one profile; a history needs two runs": "只有一个 profile；历史需要两次运行",
  "The profile, for links": "该 profile，用于链接",
  "Diff with the run before": "与上一次运行对比",
  "Overview of this run": "此次运行的概览",
  "Diff at the change": "变化处的对比",
  "Operators by run": "各次运行的算子",
  "MFU by run": "各次运行的 MFU",
  "Peak memory by run": "各次运行的峰值内存",
  "Own time of this operator per step, on the device where there is one.":
    "该算子在每个 Step 中的自身用时；有设备时为设备时间。",
  "sum of durations / number of steps": "时长之和 / Step 数",
  "operators, else kernels": "算子，否则为内核",
  "How the runs that are here changed: steps, utilization, memory, operators, and where their level changed.":
    "此处各次运行如何变化：Step、利用率、内存、算子，以及其水平在何处变化。",
  "How many operators the trends show": "趋势显示多少个算子",
  "Most time": "耗时最多",
  "p-value": "显著性概率",
};
