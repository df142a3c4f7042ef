// The diff by structure.
import type { ProgramWords } from "../translate";

export const structure: ProgramWords = {
  "By structure": "按结构",
  "Operators: baseline": "算子：基准",
  "Operators: compared": "算子：对比",
  "Kernels: baseline": "内核：基准",
  "Kernels: compared": "内核：对比",
  "Device work": "设备任务",
  Inside: "位于",
  "same kernels": "相同内核",
  "other kernels": "不同内核",
  replaced: "被替换",
  "only in the baseline": "仅在基准中",
  "only in the compared profile": "仅在对比数据中",
  "not attributed": "未归属",
  "The operators that launched the work. Ranges of the same name are matched in order, from the outside in, first those whose inputs have the same shapes; what is between two matches in one profile is compared with everything between them in the other.":
    "下发这些任务的算子。同名范围按顺序由外向内匹配，输入形状相同者优先；一侧两个匹配之间的内容与另一侧两个匹配之间的全部内容对比。",
  "no operator of the baseline corresponds": "基准中没有对应的算子",
  "The operators that launched the work instead": "取而代之下发任务的算子",
  "no operator of the compared profile corresponds": "对比数据中没有对应的算子",
  "Same kernels: one operator in both, and its kernels have the same names. Other kernels: one operator in both. Replaced: other operators, such as what a compiler fused. Not attributed: work that no range launched, or that a step launched itself.":
    "相同内核：两侧是同一个算子，且内核名称相同。不同内核：两侧是同一个算子。被替换：两侧算子不同，例如被编译器融合。未归属：没有范围下发，或由 Step 自身下发的任务。",
  "Device time of the work that they launched.": "它们下发的任务的设备时间。",
  "sum of durations; each piece of work of the part is in one row": "时长之和；该部分的每个任务只在一行中",
  "How much they launched.": "它们下发了多少任务。",
  "How often these operators launched work.": "这些算子下发任务的次数。",
  "Shapes of the inputs of a single operator; both if they differ": "单个算子的输入形状；不同时两者都显示",
  "several operators, or not recorded": "有多个算子，或未采集",
  "The innermost range around the first of them that both profiles have":
    "两份性能数据都有的、包围其中第一个的最内层范围",
  "directly in the step or part": "直接位于 Step 或该部分中",
  "The kernels that they launched, the largest sum of durations first": "它们下发的任务，总时长最长者在前",
  "nothing in the baseline": "基准中没有",
  "nothing in the compared profile": "对比数据中没有",
  "piece of work": "任务",
  "No device work was launched in this part.": "该部分没有下发设备任务。",
};
