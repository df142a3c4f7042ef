// What steps would take if something were faster, and the critical path.
import type { ProgramWords } from "../translate";

export const whatIf: ProgramWords = {
  // Views, panels, tables, columns.
  "What if": "假如",
  Prediction: "预测",
  Changes: "改动",
  "What changes": "改动",
  "What it would win": "可获得的收益",
  "What if it were twice as fast": "假如快一倍",
  "One step, before and after": "一个 Step 的前后对比",
  Times: "时间",
  "As recorded, or as predicted with the changes": "采集值，或改动后的预测值",
  "The thread of the host, or the stream or engine of a device": "主机的线程，或设备的流、引擎",
  "Time since the beginning of the step.": "从 Step 开始起算。",
  "How long it takes.": "其时长。",
  "Device work; where several short pieces are drawn as one, the longest":
    "设备任务；若多个短段合画为一段，则为最长者",
  "How many short pieces that follow each other are drawn as one.": "多少个相继的短段合画为一段。",
  "What the threads and streams with most work do in one step, on an axis that begins with the step.":
    "工作最多的线程与流在一个 Step 中做什么，时间轴从该 Step 开始。",
  "The step that is shown before and after the changes": "显示其改动前后的 Step",
  "Waits that no event states": "没有事件说明的等待",
  "Launched device work on a free stream that began within 20 µs after work of another stream of its device ended, and over 20 µs after everything that the file states: it waited for that.":
    "流空闲且已下发、却在本设备另一流的任务结束后 20 µs 之内才开始，且比文件说明的一切都晚 20 µs 以上的设备任务：它等待了该任务。",
  Replay: "重放",
  "As recorded": "采集值",
  Predicted: "预测值",
  Gain: "收益",
  Names: "名称数",
  "At most": "上限",
  "If twice as fast": "快一倍时",
  "If free": "不耗时时",
  "Recorded step": "采集的 Step",
  "Replayed step": "重放的 Step",
  "Predicted step": "预测的 Step",
  "The gain is": "收益为",
  "at most this": "至多如此",
  "a prediction": "预测",
  "Moved by at most": "最大偏移",
  "Bound by the host": "受限于主机",
  "Bound by the stream": "受限于流",
  "Bound by other work": "受限于其他任务",
  "Waits of the host": "主机的等待",
  "Waits for something else": "等待其他事物",
  category: "类别",
  // Docs.
  "How long a step would take if something were faster.": "假如某部分更快，一个 Step 会用多长时间。",
  "Changes, separated by ';', such as module:conv*0.5; a wrong one gets the list of all kinds":
    "改动，以“;”分隔，例如 module:conv*0.5；写错时会列出所有种类",
  "How many names of each kind the table shows": "表中每种名称显示多少个",
  "Mean length of the kept steps.": "保留的各 Step 的平均时长。",
  "Mean length of the same steps with the changes.": "改动后这些 Step 的平均时长。",
  "What the changes win.": "改动带来的收益。",
  "At most: a change can only be approached, such as work that takes no time.":
    "上限：改动只能接近，例如任务完全不耗时。",
  "The same after a replay without any change.": "不作任何改动重放后的同一时长。",
  "Calls, ends of waits, marks of steps and device work.": "调用、等待的结束、Step 的边界与设备任务。",
  "How far the replay without any change moves a node. It checks the bookkeeping of the replay; it does not show how true a prediction is.":
    "不作改动的重放使节点偏移多少。它检验重放的记账，不表示预测有多准确。",
  "Device work whose launch came after everything else that it waited for.":
    "其下发晚于它所等待的其他一切的设备任务。",
  "Device work that waited for the work before it on its stream.": "等待同一流上前一任务的设备任务。",
  "Device work that waited for work of another stream or engine.": "等待其他流或引擎的任务的设备任务。",
  "Calls that ended at most 20 µs after device work that they waited for; waits for all work of a stream or device, also at most 5% of their length after it.":
    "在其所等待的设备任务结束后 20 µs 之内结束的调用；等待流或设备全部任务的调用，也可在其后自身时长的 5% 之内结束。",
  "Calls that synchronize for more than 20 µs, and end when no device work does: they waited for something that is not recorded, and keep their length.":
    "同步超过 20 µs、且结束时没有设备任务结束的调用：它们等待的事物没有记录，时长保持不变。",
  "Number of the step.": "Step 的编号。",
  "Length as recorded.": "采集的时长。",
  "Length with the changes.": "改动后的时长。",
  "The change as entered": "给出的改动",
  "Number of names that the change matches.": "它符合多少个名称。",
  "Kernels, copies, fills and collectives that it changes.": "它改动的内核、拷贝、填充与集合通信。",
  "Time of the device work or of the host that it changes, in the whole recording.":
    "它改动的设备任务或主机在整个采集中的时间。",
  "Whether the gain is a bound that can only be approached.": "收益是否为只能接近的上限。",
  "What the name is of": "名称属于什么",
  "Kernel, operator or module; the family of operators or kind of work; or the host's code":
    "内核、算子或模块；算子的族、任务的种类；或主机的代码",
  "Kernels, copies, fills and collectives of this name, or launched inside it.":
    "此名称的、或在其中下发的内核、拷贝、填充与集合通信。",
  "Their time.": "它们的时间。",
  "Their share of all device time.": "它们在全部设备时间中的占比。",
  "How much shorter the mean step would be if they took half as long.":
    "若它们的时间减半，平均 Step 会缩短多少。",
  "How much shorter it would be if they took no time: no improvement wins more.":
    "若它们不耗时会缩短多少：任何改进都不会获得更多。",
  "The change that takes half as long, for the parameter of this view": "使时间减半的改动，用于本视图的参数",
  // Sources.
  "dependency graph": "依赖图",
  "replays of the dependency graph": "依赖图的重放",
  "recorded and predicted steps": "采集的与预测的 Step",
  "steps, with their device work": "Step，含其设备任务",
  "kind of change": "改动的种类",
  // Critical path.
  "Critical path": "关键路径",
  "On the path": "路径上",
  Pieces: "段数",
  "Pieces, first step": "段数，第一个 Step",
  Path: "路径",
  "By kind": "按种类",
  "The host's code takes half as long": "主机代码的时间减半",
  "Matrix products take half as long": "矩阵乘的时间减半",
  "The host waits for no device work": "主机不等待任何设备任务",
  "Each step is launched as one graph": "每个 Step 作为一个图下发",
  "By name": "按名称",
  "By line": "按代码行",
  "The innermost operator that a piece belongs to, on the host or by its launch":
    "一段所属的最内层算子，在主机上或按其下发",
  "The innermost Python function of the user's code that a piece belongs to, on the host or by its launch":
    "一段所属的用户代码中最内层的 Python 函数，在主机上或按其下发",
  "By module": "按模块",
  "Time per step": "每 Step 时间",
  Kernels: "内核",
  Collectives: "集合通信",
  "Copies and fills": "拷贝与填充",
  "Between device work": "设备任务之间",
  "Launch latency": "下发时延",
  "Runtime calls": "运行时调用",
  "Operators on the host": "主机上的算子",
  "Data loading": "数据加载",
  "Other host code": "其他主机代码",
  "Host, nothing recorded": "主机，无记录",
  Synchronization: "同步",
  Unknown: "未知",
  "The chain of work and waits that makes each step as long as it is, by kind, name, operator, module and line.":
    "沿着“谁等待谁”的链条，一个 Step 的时长由什么构成。",
  "The chain of work and waits, back from the end of the step. Only what is on it makes the step longer.":
    "从 Step 的结束往回，“谁等待谁”的链条：只有其上的部分使 Step 变长。",
  "Only the step of this number": "仅此编号的 Step",
  "Mean length of the steps.": "各 Step 的平均时长。",
  "Sum of the pieces of the path: exactly the step.": "路径各段之和：恰为 Step。",
  "Pieces of the path of the first step shown.": "所显示的第一个 Step 的路径段数。",
  "Its time on the path, mean over the steps.": "它在路径上的时间，各 Step 的平均。",
  "Its share of the steps.": "它在 Step 中的占比。",
  "Stretches of the path, of all steps.": "所有 Step 的路径中的段。",
  "The longest piece.": "最长的一段。",
  piece: "段",
  "What the step waited for": "Step 在等待什么",
  "Kernel, call, operator or other range of the host": "内核、调用、算子或主机的其他范围",
  "The innermost module that a piece belongs to, on the host or by its launch":
    "一段所属的最内层模块，依据主机或其下发",
  "Where the piece begins.": "该段的开始。",
  "Its length.": "其时长。",
  "Its time on the path of the step.": "它在该 Step 路径上的时间。",
  "chain of binding dependencies": "约束性依赖的链条",
  "the end of the recording cut this step off: it has no path": "采集的结束截断了此 Step：它没有路径",
  // Opportunities.
  Opportunities: "优化机会",
  "What could be fused, hidden, avoided or computed in a narrower type, and what that would win.":
    "哪些可以融合、隐藏、避免或用更窄的类型计算，以及由此可获得的收益。",
  "Chains that could be fused": "可融合的链",
  "Operators whose kernels follow each other on a stream, in their order": "其内核在一条流上依次相继的算子",
  "Kernels that only move data follow each other on one stream, and each has an input of exactly the size of the result before it. One kernel would neither write nor read these results. That the next one reads them is not recorded, and a result that is needed later has to be written: at most.":
    "只搬运数据的内核在一条流上相继执行，每个都有一个输入，其大小恰为前一个的结果。合为一个内核便无需写出和读入这些结果。后者是否读取它们没有记录，而之后还要用到的结果必须写出：故为上限。",
  "No chain of kernels that only move data was found.": "没有内核把结果交给下一个只搬运数据的内核。",
  "Bytes saved": "节省的字节",
  "Bytes that one kernel would neither write nor read.": "合为一个内核后无需写出和读入的字节。",
  "How much shorter the mean step would be if these kernels took less time by the share of the bytes.":
    "若这些内核的时间按该字节比例减少，平均 Step 会缩短多少。",
  "Collectives that other work could hide": "可由其他任务隐藏的集合通信",
  "Name of the collective": "集合通信的名称",
  "After each collective, until the end of its step: device work that does not wait for any collective of this name, not even through other work or the host. It could run beside it.":
    "每个集合通信之后直到其 Step 结束：不等待任何此名称集合通信（也不经由其他任务或主机等待）的设备任务。它们可以与之并行。",
  "No collective was recorded on a device.": "没有记录到设备上的集合通信。",
  "Independent work": "独立任务",
  "Time of device work that comes later in the step and waits for no collective of this name.":
    "该 Step 中更晚、且不等待任何此名称集合通信的设备任务的时间。",
  "How much shorter the mean step would be if nothing but its end waited for them.":
    "若只有 Step 的结束等待它们，平均 Step 会缩短多少。",
  "None that was found would gain 0.05% of the step.": "找到的各项收益均不到 Step 的 0.05%。",
  "Kernels shorter than 10 µs": "短于 10 µs 的内核",
  "Name of the kernel": "内核的名称",
  "Starting such a kernel takes as long as the kernel. Fuse them, or launch them in a graph.":
    "启动这样的内核与执行它一样耗时。请融合它们，或以图下发。",
  "No kernel is shorter than 10 µs.": "没有短于 10 µs 的内核。",
  "How much shorter the mean step would be without them.": "若没有它们，平均 Step 会缩短多少。",
  Copies: "拷贝",
  "Name of the copy": "拷贝的名称",
  "Copies between host and device, and on the device.": "主机与设备之间以及设备上的拷贝。",
  "No copy was recorded.": "没有记录到拷贝。",
  "Changes of layout": "布局转换",
  "Kernels whose names say that they only change the layout of a tensor (transpose, permute, NCHW to NHWC, im2col). Keep tensors in the layout that the next operator needs.":
    "名称表明只改变张量布局的内核（transpose、permute、NCHW 转 NHWC、im2col）。请让张量保持下一个算子所需的布局。",
  "No kernel's name says that it changes a layout.": "没有内核的名称表明它改变布局。",
  "Products in 32 or 64 bits": "32 或 64 位的乘积",
  "Matrix products, convolutions and attention that compute with fp32 or fp64. In 16 bits they would take less time by the ratio of the device's peaks.":
    "以 fp32 或 fp64 计算的矩阵乘、卷积与注意力。若用 16 位，其时间按设备峰值之比减少。",
  "No operator with a cost computes products in 32 or 64 bits.": "没有带成本的算子以 32 或 64 位计算乘积。",
  "How much shorter the mean step would be at that ratio.": "按该比值，平均 Step 会缩短多少。",
  "Dimensions that do not fit matrix units": "不适合矩阵单元的维度",
  "Products with one of the last two dimensions of an operand that is no multiple of 16 bytes, which is what matrix units load at once: the library pads them, or takes a slower kernel.":
    "某个操作数的最后两维之一不是 16 字节（矩阵单元一次加载的大小）的整数倍的乘积：库会填充它们，或选用更慢的内核。",
  "All dimensions of products with a cost are multiples of 16 bytes.":
    "带成本的乘积的所有维度都是 16 字节的整数倍。",
  "How much shorter the mean step would be if these products took the attainable time.":
    "若这些乘积用时为可达到的最短时间，平均 Step 会缩短多少。",
  Inputs: "输入",
  "Shapes and types of the inputs, and the type that it computes with":
    "输入的形状与类型，以及计算所用的类型",
  "How often it was found.": "发现的次数。",
  "number of finds": "发现的次数",
  "Time of its device work.": "其设备任务的时间。",
  "sum of 2 * bytes of each result that is handed on": "每个被传递的结果的字节数的 2 倍之和",
  "costs of operators": "算子的成本",
  "the peaks of the device are not known": "设备的峰值未知",
  "The change, for the view What if": "改动，用于视图“假如”",
  "Has a change": "有改动",
  "Whether What if can show it.": "“假如”能否显示它。",
  "kind of row": "行的种类",
  "Each gain is that of a replay with this row alone changed: gains overlap, and do not add up.":
    "每项收益来自只改动该行的重放：收益相互重叠，不能相加。",
  "No operator has a cost here, so chains, precisions and dimensions are not known: record shapes (record_shapes=True).":
    "此处没有带成本的算子，因此链、精度与维度未知：请记录形状（record_shapes=True）。",
  // Notes.
  "Latencies are as recorded, waits for batches keep their length, and threads that pass no work to each other move independently. The replay without a change checks the bookkeeping, not the prediction.":
    "时延按采集值，等待数据批次的时长不变，互不传递工作的线程各自移动。不作改动的重放检验记账，而非预测。",
  "No launches were recorded: device work depends on what the file links it to, and on the work before it on its engine or stream.":
    "没有记录下发：设备任务依赖于文件中与它相连的任务，以及其引擎或流上的前一任务。",
  "no range of this profile loads data": "此性能数据中没有加载数据的范围",
  "the factors are too large: with them the work takes more than 30 years":
    "系数过大：按此计算工作需时超过 30 年",
  "no device work and no operators with times in this profile":
    "此性能数据中既没有设备任务，也没有带时间的算子",
  "All code": "全部代码",
  "These changes gain nothing: no step ends earlier without this device work.":
    "这些改动没有收益：关键路径上没有任何事物等待这些设备任务。",
};
