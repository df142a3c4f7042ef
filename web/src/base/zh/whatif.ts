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
  "Calls that ended at most 20 us after device work that they waited for.":
    "在其所等待的设备任务结束后 20 µs 之内结束的调用。",
  "Calls that synchronize for more than 20 us, and end when no device work does: they waited for something that is not recorded, and keep their length.":
    "同步超过 20 µs、且结束时没有设备任务结束的调用：它们等待的事物没有记录，时长保持不变。",
  "Number of the step.": "Step 的编号。",
  "Length as recorded.": "采集的时长。",
  "Length with the changes.": "改动后的时长。",
  "The change as it was given": "给出的改动",
  "How many names it fits.": "它符合多少个名称。",
  "Kernels, copies, fills and collectives that it changes.": "它改动的内核、拷贝、填充与集合通信。",
  "Time of the device work or of the host that it changes, in the whole recording.":
    "它改动的设备任务或主机在整个采集中的时间。",
  "Whether the gain is a bound that can only be approached.": "收益是否为只能接近的上限。",
  "What the name is of": "名称属于什么",
  "Kernel, operator or module; or the family of operators or kind of work":
    "内核、算子或模块；或算子的族、任务的种类",
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
  Path: "路径",
  "By kind": "按种类",
  "The host's code takes half as long": "主机代码的时间减半",
  "Matrix products take half as long": "矩阵乘的时间减半",
  "The host waits for no device work": "主机不等待任何设备任务",
  "Each step is launched as one graph": "每个 Step 作为一个图下发",
  "What a step consists of": "Step 由什么组成",
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
  // Notes.
  "Latencies are as recorded, waits for batches keep their length, and threads that hand no work to each other move independently. The replay without a change checks the bookkeeping, not the prediction.":
    "时延按采集值，等待数据批次的时长不变，互不传递工作的线程各自移动。不作改动的重放检验记账，而非预测。",
  "No launches were recorded: device work depends on what the file links it to, and on the work before it on its engine or stream.":
    "没有记录下发：设备任务依赖于文件中与它相连的任务，以及其引擎或流上的前一任务。",
  "no range of this profile loads data": "此性能数据中没有加载数据的范围",
  "no device work and no operators with times in this profile":
    "此性能数据中既没有设备任务，也没有带时间的算子",
};
