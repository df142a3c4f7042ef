// Pipeline, and the balance of experts in Distributed.
import type { ProgramWords } from "../translate";

export const pipeline: ProgramWords = {
  Pipeline: "流水线",
  "How the stages of pipeline parallelism share a step: their work, their bubbles, their balance.":
    "流水线并行的各阶段如何分担一个 Step：各自的工作、气泡与均衡程度。",
  "no sends or receives in this profile: its worker is no stage of a pipeline, or they were not recorded":
    "此 profile 中没有发送或接收：其工作进程不是流水线的阶段，或未采集",
  "no two ranks of this span pass activations to one another": "此采集区间中没有两个 rank 互相传递激活",

  // panels
  "The parts of each stage's time; they sum to the time of the pipeline, unless passes overlap. The last two are its bubble.":
    "每个阶段的时间构成；若各遍不重叠，其和为流水线时间。最后两项是它的气泡。",
  "The bubble of each stage in each step.": "每个阶段在每个 Step 中的气泡。",
  "Stages by steps": "各阶段的各 Step",
  "Chains of ranks that pass activations on": "依次传递激活的 rank 链",
  "Mean over the pipelines": "各流水线的平均",
  "(stages - 1) / (parts per rank x micro-batches + stages - 1), mean over the pipelines":
    "（阶段数 - 1）/（每个 rank 的部分数 x 微批次数 + 阶段数 - 1），取各流水线的平均",
  "Of the pipeline whose stages are most uneven: 1 if all stages take the same time":
    "取各阶段最不均衡的流水线：所有阶段用时相同时为 1",

  // tables
  Pipelines: "流水线",
  Stages: "阶段",
  "sends and receives of the stages in the step. With v parts of the model on each rank and m micro-batches, the first rank sends and receives (2v - 1) x m times, and a rank between the first and the last 2v x m times; in inference, the first rank sends v x m times and receives (v - 1) x m times":
    "该 Step 中各阶段的发送与接收。若每个 rank 有模型的 v 个部分、有 m 个微批次，则第一个 rank 发送与接收各 (2v - 1) x m 次，首尾之间的 rank 各 2v x m 次；推理时，第一个 rank 发送 v x m 次、接收 (v - 1) x m 次",
  "work of the rank's devices in the step; without a chosen step, mean over steps":
    "该 Step 中 rank 的设备任务；未选择 Step 时取各 Step 的平均",
  "the micro-batches cannot be counted: see the notes": "微批次数无法统计：见说明",
  "no backward pass was recorded": "没有采集到反向",
  "not all stages are here, or no step has work on all of them":
    "缺少一些阶段，或没有一个 Step 在所有阶段上都有任务",
  "Number of the pipeline, by its first rank": "流水线的编号，按其第一个 rank 排列",
  "Its name; of groups of two ranks, that of the first": "其名称；若为两个 rank 的通信组，取第一个的名称",
  "Ranks that pass activations on.": "依次传递激活的 rank。",
  "the process groups": "通信组",
  "Stages here": "此处的阶段",
  "Of these, ranks in this span.": "其中在此采集区间中的 rank。",
  "the traces": "跟踪文件",
  "Steps in which all stages worked.": "所有阶段都有任务的 Step。",
  "Micro-batches": "微批次",
  "Micro-batches of a step.": "一个 Step 的微批次数。",
  "sends of a rank between the first and the last - sends of the first; of two ranks, sends of the first; in inference, sends - receives of the first":
    "首尾之间的 rank 的发送次数 - 第一个的发送次数；只有两个 rank 时，第一个的发送次数；推理时，第一个的发送次数 - 接收次数",
  "Parts per rank": "每个 rank 的部分数",
  "Parts of the model on each rank: above 1, the schedule is interleaved.":
    "每个 rank 上模型的部分数：大于 1 时，调度是交错的。",
  "sends of a rank between the first and the last / (2 x micro-batches); in inference, sends of the first / micro-batches":
    "首尾之间的 rank 的发送次数 /（2 x 微批次数）；推理时，第一个的发送次数 / 微批次数",
  "Time of the pipeline": "流水线时间",
  "From the first forward to the last backward work. In GPipe and 1F1B the first stage does both, so clocks of ranks are not compared.":
    "从第一个正向任务到最后一个反向任务。在 GPipe 与 1F1B 中两者都在第一阶段，因此不比较各 rank 的时钟。",
  "max over stages of (end of the last work - start of the first)":
    "各阶段（最后任务的结束 - 第一个任务的开始）的最大值",
  "Share of the pipeline's time in which a stage does nothing but wait for others or transfer.":
    "阶段只在等待其他阶段或传输的时间，占流水线时间的比例。",
  "1 - mean over stages of busy / time of the pipeline": "1 - 各阶段忙碌时间的平均 / 流水线时间",
  "Ideal bubble": "理想气泡",
  "What the schedule itself costs if all stages take the same time and transfers take none: GPipe and 1F1B, also interleaved.":
    "若各阶段用时相同且传输不耗时，调度本身的代价：GPipe 与 1F1B，也包括交错的。",
  "Huang et al., GPipe (2019), section 2.3; Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters (2021), sections 2.2.1 and 2.2.2":
    "Huang 等，GPipe（2019），2.3 节；Narayanan 等，Efficient Large-Scale Language Model Training on GPU Clusters（2021），2.2.1 与 2.2.2 节",
  "Above the ideal": "高于理想",
  "What uneven stages, transfers and the host add.": "由阶段不均衡、传输和主机增加的部分。",
  "bubble - ideal bubble": "气泡 - 理想气泡",
  "Most / mean work": "最大 / 平均工作",
  "How uneven the stages are: 1 if all take the same time.": "各阶段有多不均衡：用时都相同时为 1。",
  "max over stages of work / mean over stages of work, work = forward + backward + recomputed":
    "各阶段工作的最大值 / 平均值，工作 = 正向 + 反向 + 重计算",
  "Longest stage": "最长的阶段",
  "The worker whose stage has most work": "阶段工作最多的工作进程",
  "Its number, from 0; of several pipelines, that of the pipeline before it, as in p0 s1":
    "其编号，从 0 开始；有多条流水线时，前面是流水线的编号，例如 p0 s1",
  "length of the union of the kernels of the pass": "该遍的内核的并集长度",
  "Kernels of the forward pass.": "正向的内核。",
  "Kernels of the backward pass.": "反向的内核。",
  Recomputed: "重计算",
  "Kernels that compute activations again during the backward pass.": "反向期间重新计算激活的内核。",
  "Other work": "其他任务",
  "Other work between the first and the last work of the passes: collectives inside the stage, copies. Without a backward pass: all work.":
    "各遍的第一个与最后一个任务之间的其他任务：阶段内的集合通信、拷贝。没有反向时：所有任务。",
  "busy - forward - backward - recomputed, at least 0; busy: any work but sends and receives runs":
    "忙碌 - 正向 - 反向 - 重计算，至少为 0；忙碌：除发送与接收外有任务在运行",
  "Waits inside": "内部等待",
  "Bubbles between its first and its last work: it waits for another stage, or transfers.":
    "其第一个与最后一个任务之间的气泡：等待其他阶段，或在传输。",
  "end of the last work - start of the first - busy": "最后任务的结束 - 第一个任务的开始 - 忙碌",
  "Fill and drain": "填充与排空",
  "Bubbles before its first and after its last work.": "其第一个任务之前与最后任务之后的气泡。",
  "time of the pipeline - (end of its last work - start of its first)":
    "流水线时间 -（其最后任务的结束 - 其第一个任务的开始）",
  "Share of the pipeline's time in which it does nothing but wait or transfer.":
    "它只在等待或传输的时间，占流水线时间的比例。",
  "(waits inside + fill and drain) / time of the pipeline": "（内部等待 + 填充与排空）/ 流水线时间",
  "Work / mean": "工作 / 平均",
  "Its work against the mean over the stages: above 1, the others wait for it.":
    "它的工作与各阶段平均之比：大于 1 时，其他阶段等待它。",
  "work / mean over stages of work, work = forward + backward + recomputed":
    "工作 / 各阶段工作的平均，工作 = 正向 + 反向 + 重计算",
  "Its work in the step.": "它在该 Step 中的工作。",
  "forward + backward + recomputed; without passes, all work": "正向 + 反向 + 重计算；没有各遍时，为所有任务",
  "1 - busy / time of the pipeline": "1 - 忙碌 / 流水线时间",
  "the recording does not tell which transfers are sends": "采集数据没有说明哪些传输是发送",
  "the stages have numbers of transfers that fit no schedule": "各阶段的传输次数不符合任何一种调度",
  "the stages are interleaved on two ranks, and their transfers do not tell how many parts of the model each rank has":
    "两个 rank 上的阶段是交错的，而它们的传输没有说明每个 rank 有模型的几个部分",
  "not all stages are here": "缺少一些阶段",

  // experts
  "Balance of experts": "专家的均衡",
  "How evenly the ranks of a group share the tokens of a mixture of experts. Traces state no tokens: see the bytes that each rank receives.":
    "通信组的各 rank 是否均匀分担混合专家的 token。跟踪文件没有 token 数：见各 rank 收到的字节数。",
  "all-to-alls of the group; without a chosen step, means over steps":
    "该组的 all-to-all；未选择 Step 时取各 Step 的平均",
  "the files do not say how much each rank received": "文件没有说明每个 rank 收到多少",
  "Its workers in this span": "它在此采集区间中的工作进程",
  "Its all-to-alls on all workers": "它在所有工作进程上的 all-to-all",
  "What the program calls it": "程序对它的称呼",
  "mean over the workers": "各工作进程的平均",
  "max over the workers": "各工作进程的最大值",
  "Received, mean": "收到，平均",
  "Received, most": "收到，最大",
  "Received, most / mean": "收到，最大 / 平均",
  "Bytes that a worker receives in the all-to-alls of a step: they are proportional to its tokens, which traces do not state.":
    "工作进程在一个 Step 的 all-to-all 中收到的字节数：与其 token 数成正比，而跟踪文件没有 token 数。",
  "The worker that receives most": "收到最多的工作进程",
  "In all-to-alls, mean": "all-to-all 时间，平均",
  "In all-to-alls, most": "all-to-all 时间，最大",
  "In all-to-alls, most / mean": "all-to-all 时间，最大 / 平均",
  "Time of a worker in the all-to-alls of a step, waits included: the worker that others wait for has least.":
    "工作进程在一个 Step 的 all-to-all 中的时间，包括等待：其他进程所等待的工作进程最少。",
  "Computing, mean": "计算，平均",
  "Computing, most": "计算，最大",
  "Computing, most / mean": "计算，最大 / 平均",
  "Time in which a worker computes in a step, experts included.":
    "工作进程在一个 Step 中计算的时间，包括专家。",
};
