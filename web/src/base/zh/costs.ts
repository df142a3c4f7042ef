// Costs of operators, peaks of devices, passes of a step, lengths of kernels.
import type { ProgramWords } from "../translate";

export const costs: ProgramWords = {
  "shapes and types of the operators' inputs by the formula of each, device work that the operators caused, peaks of the device":
    "各算子输入的形状与类型及其公式、算子引起的设备任务、设备的峰值",
  "none of its operators has a formula, or its inputs were not recorded":
    "其中的算子没有公式，或没有记录其输入",
  "none of its operators has a formula, or the device's peaks are not known":
    "其中的算子没有公式，或不知道设备的峰值",
  "How fast the operators with a formula computed.": "有公式的算子的运算速度。",
  "How fast the operators with a formula moved data: each input is read once, each result written once.":
    "有公式的算子搬运数据的速度：每个输入读一次，每个结果写一次。",
  "How fast the operators with a formula moved data.": "有公式的算子搬运数据的速度。",
  "Of attainable": "占可达",
  "Share of the speed that the peaks of the device allow. Above 100 %, a peak, a shape or a precision is wrong.":
    "占设备峰值所允许速度的比例。超过 100 % 时，峰值、形状或精度有误。",
  "Share of the speed that the peaks of the device allow.": "占设备峰值所允许速度的比例。",
  "Time to win": "可节省时间",
  "Device time that would be saved if each call took no longer than the peaks allow.":
    "若每次调用都只用峰值所允许的时间，可节省的设备时间。",
  "start and end of the kernels in scope": "范围内内核的开始与结束",
  "Kernels by length": "内核时长分布",
  Length: "时长",
  "How long a kernel runs; the end of a range is not part of it": "内核运行多久；区间不含右端",
  "How many are this long.": "时长在此区间的数量。",
  "Share of calls": "占次数",
  "Share of all kernels in scope.": "占范围内所有内核的比例。",
  "Their time.": "它们的时间。",
  "Share of time": "占时间",
  "shapes and types of the operators' inputs, by the formula of each operator":
    "各算子输入的形状与类型，按其公式",
  "durations of the device work that the calls caused": "这些调用所引起的设备任务的时长",
  "operators with a formula": "有公式的算子",
  "Device time that its calls caused; parallel work on several streams is added.":
    "其调用引起的设备时间；多个流上并行的任务取其和。",
  "Share of the device time.": "占设备时间的比例。",
  "the formula gives no operations, or the inputs were not recorded": "公式不给出运算量，或没有记录输入",
  "Bytes of the inputs and of the results.": "输入与结果的字节数。",
  "the formula gives no bytes, or the inputs were not recorded": "公式不给出字节数，或没有记录输入",
  "Operations per byte.": "每字节的运算量。",
  "What takes most of the attainable time: computing, memory, or latency where a call is so short (under 2 µs at the peaks) that starting it takes longer":
    "可达时间主要用于什么：计算、内存，或时延，即调用很短（峰值下不到 2 µs），启动它的时间更长",
  "Whether calls may need more operations or bytes than these.": "调用所需的运算量或字节数是否可能更多。",
  "The longest kernel of the calls": "调用中最长的内核",
  Precision: "精度",
  "Element type that it computes with": "运算所用的元素类型",
  "it is not known": "不得而知",
  "of its device work": "其设备任务",
  "Operators by category": "算子类别",
  "Operators that share a formula": "共用一个公式的算子",
  "Device work without a cost": "没有代价的设备任务",
  "Name of the kernel, copy or fill": "内核、拷贝或填充的名称",
  "The host range that caused it: neither it nor a range around it has a formula":
    "引起它的主机范围：它及外层范围都没有公式",
  "Operations per second of each, over its operations per byte. A point above a slope had its data in a cache; none can be above the flat line of its precision.":
    "各项每秒运算量与每字节运算量的关系。斜线以上的点，其数据在缓存中；任何点都不会高于其精度的水平线。",
  "No work here has both known operations and known bytes.": "这里没有运算量与字节数都已知的任务。",
  "Device time with a cost": "有代价的设备时间",
  "Share of the device time that operators with a formula caused; all figures here are of that part.":
    "由有公式的算子引起的设备时间的比例；这里的所有数字只涉及这部分。",
  "Share of the speed that the peaks of the device allow, over all calls with a cost.":
    "所有有代价的调用占设备峰值所允许速度的比例。",
  "Dense operations per second.": "每秒稠密运算量。",
  "the data sheet": "数据手册",
  "Bytes/s": "字节/秒",
  "Bytes per second to and from device memory.": "每秒读写设备内存的字节数。",
  "no figure is known for this device: --peak bandwidth=3.35T gives one":
    "不知道此设备的数值：可用 --peak bandwidth=3.35T 给出",
  "Source of the peaks": "峰值的来源",
  "Where the peaks come from": "峰值来自何处",
  Costs: "代价",
  "The peaks of this device are not known, so no limits are drawn: --peak bf16=989T --peak bandwidth=3.35T gives them.":
    "不知道此设备的峰值，因此不画上限：可用 --peak bf16=989T --peak bandwidth=3.35T 给出。",
  "No call on this device has a cost.": "此设备上没有有代价的调用。",
  "All device work has a cost.": "所有设备任务都有代价。",
  "the shapes of inputs, which costs are computed from, were not recorded: torch.profiler records them with record_shapes=True":
    "采集时没有输入的形状，而代价由形状得出：torch.profiler 的 record_shapes=True 可记录",
  "the ranges that caused the device work of the kept steps: optimizers, evaluations of autograd nodes, modules, links from forward to backward operators":
    "引起所保留各 Step 的设备任务的范围：优化器、autograd 节点的求值、模块、前向到反向算子的关联",
  "Passes of a step": "Step 的各遍",
  Pass: "遍",
  "What the device work was for": "设备任务的用途",
  "Device time per step; parallel work on several streams is added.":
    "每个 Step 的设备时间；多个流上并行的任务取其和。",
  "Share of the device time of the steps.": "占各 Step 设备时间的比例。",
  "Kernels and copies": "内核与拷贝",
  "Pieces of device work per step.": "每个 Step 的设备任务数。",
  "What it is": "说明",
  "What belongs to it": "包含什么",
  "the operations of some calls on matrix units, or the peak of their precision, are not known":
    "不知道矩阵单元上某些调用的运算量，或其精度的峰值",
  "Model FLOPs utilization": "模型 FLOPs 利用率",
  "Hardware FLOPs utilization": "硬件 FLOPs 利用率",
  "MFU: share of the steps' time that the model's matrix products and convolutions would take at the dense peak of their precision, without what was computed again.":
    "MFU：模型的矩阵乘与卷积若以其精度的稠密峰值运行，所需时间占 Step 时间的比例，不含重新计算的部分。",
  "shapes and types of the operators' inputs; peaks of the device": "算子输入的形状与类型；设备的峰值",
  "HFU: the same, with what was computed again.": "HFU：同上，含重新计算的部分。",
  "Utilization of the matrix units": "矩阵单元的利用率",
  Forward: "前向",
  Recomputation: "重计算",
  Optimizer: "优化器",
  "Work of ranges outside of the backward pass and of the optimizer.": "反向与优化器之外的范围的任务。",
  "Work inside the evaluation of an autograd node.": "autograd 节点求值之内的任务。",
  "Forward work that runs again inside the backward pass, for activations that were not kept.":
    "在反向之内为未保留的激活再次运行的前向任务。",
  "Work inside the optimizer's ranges.": "优化器范围之内的任务。",
  "Work that no recorded range caused.": "没有任何已记录的范围引起的任务。",
  "Input strides": "输入步长",
  "Input values": "输入的值",
  "impossible: operators computed faster than the peak of their precision; a peak, a shape or a precision is wrong, see Roofline":
    "不可能：算子的运算速度超过其精度的峰值；峰值、形状或精度有误，见 Roofline",
  // Reproduce.
  Reproduce: "复现",
  "The recorded call": "采集到的调用",
  "No operator is chosen: open its row in Operators, or state its name.":
    "未选择算子：请从“算子”视图的行打开，或给出其名称。",
  "A Python program that runs an operator as it was recorded, to time it or to profile it alone.":
    "一个 Python 程序，按采集到的样子运行一个算子，以便单独计时或采集。",
  "the shapes of inputs were not recorded: record with record_shapes=True":
    "没有采集输入形状：请用 record_shapes=True 采集",
  "As recorded.": "与采集到的一致。",
  "name of the operator": "算子名称",
  "Input Dims": "Input Dims",
  "Input Strides": "Input Strides",
  "recorded without strides": "未采集步长",
  "Calls with these inputs.": "具有这些输入的调用。",
  "Calls with other inputs": "其他输入的调用",
  "Calls of this operator with other inputs.": "该算子具有其他输入的调用。",
  "`python reproduce.py` times the operator: the median of many calls, each with a cold cache. `python reproduce.py --profile trace.json` records it with torch.profiler. Values of tensors are random; shapes, strides, types and scalars are as recorded.":
    "`python reproduce.py` 对算子计时：多次调用的中位数，每次缓存均为冷。`python reproduce.py --profile trace.json` 用 torch.profiler 采集它。张量的值是随机的；形状、步长、类型和标量与采集到的一致。",
  "Only calls with these shapes; empty: the most frequent ones": "仅这些形状的调用；空：最常见的形状",
};
