// The program's templates (src/base/message.h). A gap is `{}`; if the order differs, `{1}` is the second value.
import type { TemplateSaid } from "./templates_said";

export const templates = {
  "The mean step takes {} instead of {}: {} ({}{}).": "平均 Step 用时 {}，原为 {}：{}（{}{}）。",
  "The mean step is as long as in the baseline: {}.": "平均 Step 与基准一样长：{}。",
  "Largest changes: {}.": "变化最大的：{}。",
  "{} and {}": "{}、{}",
  "{}, cut off by the end": "{}，被采集结束截断",
  "'place' must be a whole number, not '{}'": "“place”必须是整数，而不是“{}”",
  "'{}' has no parameter '{}'; it takes {}": "'{}' 没有参数 '{}'；可用参数：{}",
  "'{}' must be a number or empty, not '{}'": "'{}' 必须是数字或为空，而不是 '{}'",
  "'{}' must be {}, not '{}'": "'{}' 必须是{}，而不是 '{}'",
  "Active on {}": "{} 上的活跃时间",
  "Attributed to the host range that launched them: {}.": "归属到下发它们的主机范围：{}。",
  "DataParallel.forward was recorded, and {} devices ran kernels of this process.":
    "记录到 DataParallel.forward，且有 {} 个设备运行了此进程的内核。",
  "Device {}": "设备 {}",
  "Devices {}": "设备 {}",
  "Differs: {}": "差异：{}",
  "During {} of the steps no device works while the host does; the median kernel takes {} and starts {} after its launching call.":
    "Step 时间的 {} 中主机在工作而没有设备工作；内核时长的中位数为 {}，在其下发调用之后 {} 开始。",
  "Est. {} efficiency": "{} 效率（估计）",
  "For {} ({} of the recording) the device was limited to {} of its full speed.":
    "有 {}（占采集时长的 {}）只允许全速的 {}。",
  "For {} blocks and warps per core are computed here from the launch and the properties of the device; the file says too little to compute the occupancy.":
    "{}的每核线程块数与线程束数按启动参数与设备属性计算；文件的信息不足以计算占用率。",
  "For {} the file states no occupancy; it is computed here from the launch and the properties of the device.":
    "文件没有说明 {}的占用率；此处按启动参数与设备属性计算。",
  "For {} the file wrongly states an occupancy of 0; it is computed here from the launch and the properties of the device.":
    "文件错误地称 {}的占用率为 0；此处按启动参数与设备属性计算。",
  "For {} the file wrongly states an occupancy of 0; it is unknown here, because the file says too little about the device to compute it.":
    "文件错误地称 {}的占用率为 0；文件对设备的说明不足以计算，因此此处为未知。",
  "Formula: {}": "公式：{}",
  "In the {}, {} cut off by the end of the recording and counted outside of the steps.":
    "{}中有 {} 被采集结束截断，列在 Step 之外。",
  "In {} of {} or more, no pipeline works for over {} of the time; this is {} of the kernel time. The longest is {}: its busiest pipeline works for {} of {}.":
    "不短于 {1} 的 {0}中没有流水线的工作时间超过 {2}，它们占内核时间的 {3}。最长的是 {4}：其最忙的流水线工作 {6} 中的 {5}。",
  "In {} over {} the device idles and the host calls almost nothing; the longest lasts {} and begins at {}.":
    "有 {}超过 {} 的时间设备空闲且主机几乎没有调用；最长的持续 {}，始于 {}。",
  "It takes {}, {} times the median of {} ({}).": "它用时 {0}，是 {2} 中位数（{3}）的 {1} 倍。",
  "Kernel time on {}": "{}上的内核时间",
  "Mean blocks per {}": "每 {} 平均线程块数",
  "Mean {}": "平均 {}",
  "Memory of {}": "{} 的内存",
  "Most time is in {} ({}, {}): {}.": "用时最多的是 {}（{}，{}）：{}。",
  "No curve: {}.": "没有曲线：{}。",
  "No steps were recorded: {} counts as one step, numbered 0.":
    "没有记录 Step：以{}代表一个编号为 0 的 Step。",
  "None of them took {} here.": "这里都没有占用{}。",
  "Not drawn: {} more than a day away from the rest of the recording.":
    "未绘制：{}与采集的其余部分相距超过一天。",
  "Not known: {}.": "未知：{}。",
  "Not in the curve, because the file does not say when they are live: {} ({}).":
    "文件没有说明 {}（{}）何时存活：它们不在曲线中。",
  "Operations and bytes are unknown for kernels that take {} of the kernels' time. The whole program's values cover the other kernels only, so its rate is at least the one shown.":
    "占 Kernel 时间 {} 的 Kernel 的运算量和字节数均未知：整个程序的数值只含其余 Kernel，其速率至少为所示值。",
  "Operator {} eligible": "算子可用{}",
  "Process {}": "进程 {}",
  "Row of the slice of its longest {}.": "其最长{}的切片的行号。",
  "Share of its device self time on {}.": "其设备自身时间在{}上的比例。",
  "Share of its device total time on {}.": "其设备总时间在{}上的比例。",
  "Share of the device's kernel time on {}.": "设备内核的时间中，在{}上运行的部分。",
  "Slices are missing: by its slices, {} computes for {} per step, by its files for {}.":
    "切片不完整：{} 的切片每个 Step 计算 {}，其文件所述为 {}。",
  "Source: {}": "来源：{}",
  "Step {} is known only from sums in the files: the recording does not say which slices belong to it.":
    "Step {} 只能由文件中的汇总得知：没有记录哪些切片属于它。",
  "Step {} is left out: the recording ended before the device work launched there was complete (device events: {}; {} in step {}).":
    "Step {0} 不计入：采集在其下发的设备任务完成之前结束（设备事件：{1}；Step {3} 中为 {2}）。",
  "Step {} is much slower than the others": "Step {} 明显慢于其他 Step",
  "Step {}: the file's own sums differ from those of its slices, for the first: {}.":
    "Step {}：文件所述的汇总与由切片所得不同，其中第一个：{}。",
  "Step {}: the file's own sums differ from those of its slices: {}.":
    "Step {}：文件所述的汇总与由切片所得不同：{}。",
  "Step {}: the sums are the file's own, because there are no slices to compute them from, or the step was left out.":
    "Step {}：汇总为文件所述；没有可供计算的切片，或该 Step 未计入。",
  "Steps {} are left out: the recording ended before the device work launched there was complete (device events: {}; {} in step {}).":
    "Step {0} 不计入：采集在其下发的设备任务完成之前结束（设备事件：{1}；Step {3} 中为 {2}）。",
  "SyncBatchNorm was recorded in {}; each makes every rank wait for the slowest.":
    "在 {}中记录到 SyncBatchNorm；每次都使所有 rank 等待最慢者。",
  "The baseline has {}, the compared profile {}: sums are over all of them.":
    "基准有 {}，对比数据有 {}：汇总包含全部 Step。",
  "The devices differ: {}, compared with {}.": "设备不同：{} 与 {}。",
  "The file states values that differ from those of its slices: {}.": "文件的声明与其切片给出的不同：{}。",
  "The first {}: the answer is larger than the limit.": "前 {}：答案的字节数超过了发送的上限。",
  "The first {}: there are more.": "前 {}：还有更多。",
  "The host runs ahead: {} of {} steps begin there, by {} on average, while the device still works on the step before.":
    "主机跑在设备前面：{1} 个 Step 中有 {0} 个在设备仍处理上一个 Step 时就已在主机上开始，平均提前 {2}。",
  "The model's operations are {} of what the matrix units could have done in the {} in which their engine was active.":
    "模型的运算只占矩阵单元在其引擎活跃的 {1} 内所能完成的 {0}。",
  "The {} largest of {} paths; the others hold {} of the host time and {} of the device time.":
    "{1} 条路径中最大的 {0} 条；其余占主机时间的 {2}、设备时间的 {3}。",
  "The {} largest of {} rows; the rows around the others include their time.":
    "{1} 行中最大的 {0} 行；其余行的时间包含在其上层之中。",
  "The {} that held most are drawn; the table has {} more.": "只绘制持有最多的 {} 个；表中另有 {} 个。",
  "The {} was recorded without device activity.": "{}没有记录设备活动。",
  "They account for {}; the compiler made the others.": "手写内核占 {}；其余由编译器生成。",
  "Throttling by {}": "{} 限频",
  "Total {}": "{} 合计",
  "Where the timeline shows the longest {}.": "时间线上最长的{}的位置。",
  "Whether it runs on {}.": "是否在{}上运行。",
  "Whether kernels run on {}": "内核是否在{}上运行",
  "Whether {} could run the launching operator, judged by its name.":
    "按名称判断，下发它的算子能否在{}上运行。",
  "Whether {} can run it.": "{}能否运行它。",
  "a link names an unknown view '{}'": "链接指向未知的视图 '{}'",
  "a range needs start < end, not {} and {}": "范围要求 start < end，而不是 {} 与 {}",
  "a view '{}' exists already: choose another id": "视图 '{}' 已存在：请换一个 id",
  "at place {}": "位置 {} 处",
  "at {}": "在 {}",
  "device {} did no work in this profile; those that did: {}":
    "设备 {} 在此性能数据中没有工作；有工作的设备：{}",
  "device: nothing ran on {}; available:{}": "device：{} 上没有运行任何算子；有：{}",
  "group {}": "通信组 {}",
  "it {}": "它{}",
  "length of (union of kernels ∩ bucket) / length of the bucket; {}":
    "length of (union of kernels ∩ bucket) / length of the bucket; {}",
  "length of (union of work ∩ bucket) / length of the bucket; {}":
    "length of (union of work ∩ bucket) / length of the bucket; {}",
  "live: {}": "存活：{}",
  "loading {}, storing {} and vector {} of the time": "加载 {}、存储 {}、向量 {}（占时间）",
  "matrix unit {} and loading {} of the time": "矩阵单元 {}、加载 {}（占时间）",
  "no lane '{}'; lanes have the numbers of the timeline": "没有泳道 '{}'：编号见时间线",
  "no links of a group {}; there are {}": "没有通信组 {} 的链路；已有：{}",
  "no memory recorded on a device '{}'; there are some on: {}": "设备 '{}' 上没有记录内存；以下设备有：{}",
  "no operator call {} in this profile": "这份性能数据没有算子调用 {}",
  "no operator {} of a program in this profile": "这份性能数据没有编号为 {} 的程序算子",
  "no profile found in {} files of {} directories (looked for: {})":
    "在 {1} 个目录的 {0} 个文件中没有找到性能数据（查找的格式：{2}）",
  "no slice {}": "没有切片 {}",
  "no step {} in any worker; its steps are {}": "任何工作进程都没有 Step {}；已有的 Step：{}",
  "no step {} in any worker; no steps were recorded": "任何工作进程都没有 Step {}；没有记录 Step",
  "no step {} in this profile; its steps are {}": "这份性能数据没有 Step {}；已有的 Step：{}",
  "no view was named; available: {}": "没有指定视图；已有：{}",
  "no {} '{}'; available: {}": "没有 {} '{}'；已有：{}",
  "no {} {}": "没有 {} {}",
  "node: '{}' is not a path such as 0-3-1": "node：'{}' 不是 0-3-1 这样的路径",
  "node: {} leads nowhere: {} has {} parts": "node：{} 不存在：{} 有 {} 个部分",
  "not a profile in a supported format ({})": "不是本程序可读格式（{}）的性能数据",
  "one of {}": "以下之一：{}",
  "process {}": "进程 {}",
  "program: no program '{}' has a memory plan; available:{}": "program：没有程序“{}”的内存规划；有：{}",
  "recorded without blocks per {}": "没有记录每 {} 线程块数",
  "root: no outermost module is named {}": "root：没有名为 {} 的最外层模块",
  "space: no program keeps anything in '{}'": "space：没有程序在“{}”中存放任何值",
  "step {}": "Step {}",
  "steps {}-{}": "Step {}-{}",
  "stream {}": "流 {}",
  "sum of {} of this part and those above it": "sum of {} of this part and those above it",
  "the file has changed and could not be read again, this is what it was before: {}":
    "文件已变化且无法重新读取，以下是之前的内容：{}",
  "the view '{}' is not a report about a profile: use {}": "视图 '{}' 不是关于性能数据的报告：请使用 {}",
  "no such log: logs are numbered 1 to {}": "没有这样的日志：编号为 1 到 {}",
  "this profile has no rows in the table {}": "此性能数据的表 {} 中没有行",
  "Python, {}": "Python，{}",
  "thread {}": "线程 {}",
  "thread: no thread has the number {}": "thread：没有编号为 {} 的线程",
  "vector {}, loading {} and storing {} of the time": "向量 {}、加载 {}、存储 {}（占时间）",
  "without worker {}, which could not be read: {}": "不含工作进程 {}，无法读取它：{}",
  "{} (launched by {})": "{}（由 {} 下发）",
  "{} (stated)": "{}（文件所述）",
  "{} ({}): {} on average, {} for {} and {} for {}, {} of the average apart.":
    "{0}（{1}）：平均 {2}，{4} 为 {3}，{6} 为 {5}，相差平均值的 {7}。",
  "{} against {}": "{} 对比 {}",
  "{} and {} more": "{} 等另外 {} 个",
  "{} are not used": "没有使用 {}",
  "{} by a linked id": "{} 个按关联 id",
  "{} by an id on the kernel itself": "{} 个按内核自身的 id",
  "{} by part": "各部分的{}",
  "{} by the range that was open when the launching call began": "{} 个按下发调用开始时所处的范围",
  "{} by {time}": "{}，按{}",
  "{} by {}": "{1}的 {0}",
  "{} call": "{} 次调用",
  "{} call of the data loader": "{} 次数据加载器调用",
  "{} call stack": "{} 个调用栈",
  "{} call stacks": "{} 个调用栈",
  "{} calls": "{} 次调用",
  "{} calls of the data loader": "{} 次数据加载器调用",
  "{} arrived later than chance explains in {} (some rank did in {}): its time in these is an outlier below the times of the other ranks.":
    "{} 到达{}的时间比偶然所能解释的更晚（共 {} 个有此类 rank）：其处于其中的时间是低于其他 rank 的离群值。",
  "{} carry no sequence number and are matched by their order in each step.":
    "{}没有序号，按其在每个 Step 中的次序匹配。",
  "{} collection": "{} 次回收",
  "{} collections": "{} 次回收",
  "{} collective": "{} 个集合通信",
  "{} collectives": "{} 个集合通信",
  "{} compiled operators and took {} of the host's time, {}; {} had shapes that were not known in advance, such as {}.":
    "{}在编译算子，占用主机时间 {}，{}；{}的形状事先未知，例如 {}。",
  "{} eligible": "{} 可用",
  "{} engine": "{} 引擎",
  "{} engine active": "{} 引擎活跃时间",
  "{} engine, hand-written": "{} 引擎手写指令占比",
  "{} engine, instruction time": "{} 引擎指令时间",
  "{} engine, instructions": "{} 引擎指令数",
  "{} event": "{} 个事件",
  "{} events": "{} 个事件",
  "{} from rank to rank in larger groups": "{} 个是较大通信组内的点对点通信",
  "{} from {}, {}": "自 {1} 起 {0}，{2}",
  "{} fused into {}": "{}融合进 {}",
  "{} gap": "{} 段空隙",
  "{} gaps": "{} 段空隙",
  "{} has iterations more than once; the last line counts.": "{} 中有重复的迭代；以最后一行为准。",
  "{} has the same worker and time as {} and is shown as span {}":
    "{} 与 {} 的工作进程和时间相同，显示为采集段 {}",
  "{} hook": "{} 个钩子",
  "{} hooks": "{} 个钩子",
  "{} kernel": "{} 个内核",
  "{} kernels": "{} 个内核",
  "{} kind of problem": "{} 类问题",
  "{} kinds of problems": "{} 类问题",
  "{} lane": "{} 条泳道",
  "{} lanes": "{} 条泳道",
  "{} line": "{} 行",
  "{} lines": "{} 行",
  "{} loaded more than {} times over; {} was loaded {} times, {} in all.":
    "{}被加载超过 {} 次；{} 被加载 {} 次，共 {}。",
  "{} logs; at most {} are compared": "{} 份日志；最多比较 {} 份",
  "{} longer than {} ran on a CPU core of the device and took {} ({} of the kernel time); the longest is {}.":
    "{0}长于 {1}，在设备的 CPU 核上运行，用时 {2}（占内核时间的 {3}）；最长的是 {4}。",
  "{} module": "{} 个模块",
  "{} modules": "{} 个模块",
  "{} name": "{} 个名称",
  "{} names": "{} 个名称",
  "{} not attributed": "{} 个未归属",
  "{} of kernels ran while the clock was 5% or more below {} MHz, the highest recorded, and took {} of the kernel time. Most was lost in {}: {} below, over {}.":
    "{0}的内核运行时频率比记录的最高值 {1} MHz 低 5% 以上，它们占内核时间的 {2}。损失最多的是 {3}：在 {5} 内低 {4}。",
  "{} of kernels, with {} of the kernel time, used the cores less than is usual.":
    "{}内核（占内核时间的 {}）对核的利用低于通常水平。",
  "{} of the instructions of {}": "{1} 指令的 {0}",
  "{} of the job's {} ranks are here: how long the others waited, and who waited for them, is unknown.":
    "作业的 {1} 个 rank 中只有 {0} 个：看不到其余 rank 在等谁，以及谁在等它们。",
  "{} of the matrix kernels among them had an inner axis that is not a multiple of {}.":
    "其中 {} 个矩阵内核的内轴不是 {} 的整数倍。",
  "{} of the operations only transpose; they count here.": "{} 的运算仅为转置；此处计入。",
  "{} of the operations that ran only transpose matrices.": "执行的运算中有 {} 只是转置矩阵。",
  "{} of the operators' kernel time is launched by operators that {} can run, and no kernel runs on them.":
    "算子的内核时间中有 {} 由 {} 可运行的算子下发，但没有内核在其上运行。",
  "{} of the step time ({} of {} per step)": "Step 时间的 {0}（每个 Step {2} 中的 {1}）",
  "{} of the steps": "为 Step 的 {}",
  "{} of the {} read from device memory were spilled before.":
    "从设备内存读取的 {1} 中有 {0} 是此前溢出的数据。",
  "{} of {ranks}": "{}（共 {}）",
  "{} of {}": "{1} 的 {0}",
  "{} of {} are not matched across workers and count neither as transfer nor as waiting: {}.":
    "{1}中有 {0} 个没有跨工作进程匹配，既不计入传输也不计入等待：{2}。",
  "{} of {} copies carry less than 512 B; copies are active in {} of the active time.":
    "{1} 个拷贝中有 {0} 个不足 512 B；拷贝占活跃时间的 {2}。",
  "{} of {} kernels ({}) are shorter than {}; they make up {} of the kernel time.":
    "{1} 个内核中有 {0} 个（{2}）短于 {3}，它们占内核时间的 {4}。",
  "{} of {} matched collectives have more ranks than are here: waiting for the missing ranks is unknown.":
    "{1} 个已匹配的集合通信中有 {0} 个的 rank 不全：看不到谁在等缺少的 rank。",
  "{} of {} or more ran in a number of blocks that is not a multiple of the number of cores, and took {} of the kernel time. The longest is {}: {} blocks on {} cores.":
    "{0}不短于 {1}，所切分的块数不是设备核数的整数倍，它们占内核时间的 {2}。最长的是 {3}：{5} 个核上 {4} 个块。",
  "{} of {} over {} B within a node had a size that is not a multiple of {} B; most time is in those of {} B of {}.":
    "节点内大于 {2} B 的 {1}中有 {0} 个不是 {3} B 的整数倍；用时最多的是 {5} 中 {4} B 的数据包。",
  "{} of {} with distinct input shapes": "{1}（按输入形状区分）的 {0}",
  "{} of {}, all threads": "{1}的 {0}，所有线程",
  "{} operator": "{} 个算子",
  "{} operators": "{} 个算子",
  "{} packet": "{} 个数据包",
  "{} packets": "{} 个数据包",
  "{} part": "{} 个部分",
  "{} parts": "{} 个部分",
  "{} is spent in communication while no device computes or copies.":
    "{}用于通信，其间没有设备在计算或拷贝。",
  "{} is spent in data loading while nothing else happens.": "{}用于数据加载，其间没有其他活动。",
  "{} path": "{} 条路径",
  "{} paths": "{} 条路径",
  "{} ran beside kernels with less than {} of what a link can do (18 GB/s); the slowest, {}, moved {} over {} and kernels ran during {} of its {}.":
    "{0}与内核同时运行，低于链路能力（18 GB/s）的 {1}；最慢的 {2} 经 {4} 传输 {3}，在其 {6} 中有 {5} 有内核运行。",
  "{} range": "{} 个区间",
  "{} ranges": "{} 个区间",
  "{} record": "{} 条记录",
  "{} records": "{} 条记录",
  "{} row": "{} 行",
  "{} rows": "{} 行",
  "{} run kernels during only {} of the steps' time.": "{} 分别只在 Step 时间的 {} 中运行内核。",
  "{} runs kernels during only {} of the steps' time.": "{} 只在 Step 时间的 {} 中运行内核。",
  "{} seen on one worker only": "{} 个只在一个工作进程上出现",
  "{} self": "{} 自身",
  "{} spends {} a step in it, {} only {}; the difference is {} of the mean step ({}), by the sums that the files state.":
    "{0} 每个 Step 在其中用时 {1}，{2} 只用 {3}；差值为平均 Step（{5}）的 {4}，按文件所述的汇总。",
  "{} spends {} a step in it, {} only {}; the difference is {} of the mean step ({}).":
    "{0} 每个 Step 在其中用时 {1}，{2} 只用 {3}；差值为平均 Step（{5}）的 {4}。",
  "{} step": "{} 个 Step",
  "{} step is": "{} 个 Step",
  "{} steps": "{} 个 Step",
  "{} steps are": "{} 个 Step",
  "{} stretch": "{} 段",
  "{} stretches": "{} 段",
  "{} sum": "{} 项合计",
  "{} sums": "{} 项合计",
  "{} takes an integer of ns, at most 2^53, not '{}'": "{} 应为以 ns 为单位、不超过 2^53 的整数，而不是 '{}'",
  "{} takes numbers separated by commas, not '{}'": "{} 应为以逗号分隔的数字，而不是 '{}'",
  "{} tensor was": "{} 个张量",
  "{} tensors were": "{} 个张量",
  "{} to allocate or release memory of the device took {}; the longest, {}, took {}.":
    "{}（分配或释放设备内存）用时 {}；最长的 {} 用时 {}。",
  "{} took longer than {}, {} together; the longest took {} and begins at {}.":
    "{}长于 {}，共 {}；最长的用时 {}，始于 {}。",
  "{} took longer than {}; the longest, {}, took {} and begins at {}.":
    "{}长于 {}；最长的 {} 用时 {}，始于 {}。",
  "{} took {} on every available rank, {} of that to move data: above the {} after which a network card sends a packet again.":
    "{} 在所有可见 rank 上用时 {}，其中传输数据 {}：超过网卡重传数据包的时限 {}。",
  "{} took {}, {} times the median of {} of those of its name and size.":
    "{0} 用时 {1}，是同名同大小者中位数 {3} 的 {2} 倍。",
  "{} total": "{} 合计",
  "{} type": "{} 类",
  "{} types": "{} 类",
  "{} utilization": "{} 利用率",
  "{} value": "{} 个值",
  "{} values": "{} 个值",
  "{} waited for a stream, {} for each piece of device work, and took {}.":
    "{}在等待流，平均每个设备任务 {} 次，用时 {}。",
  "{} with at least {} of host work took {} of the steps; the longest lasts {} and begins at {}.":
    "{}（主机工作至少 {}）占 Step 的 {}；最长的一段持续 {}，始于 {}。",
  "{} with counters": "{}（带计数器）",
  "{} without sequence number in steps where workers have different numbers of them":
    "{} 个没有序号，且所在 Step 中各工作进程的数目不同",
  "{} worker": "{} 个工作进程",
  "{} workers": "{} 个工作进程",
  "{} x {}": "{} x {}",
  "{} {}": "{} {}",
  "{} {} (computed: {})": "{} {}（计算值：{}）",
  "{} {} had {} allocated at the peak, {} of its memory.": "{} {} 峰值时已分配 {}，占其内存的 {}。",
  "{}, accumulated": "{}，累计",
  "{}, active": "{}，活跃时间",
  "{}, as {} counts": "{}，按 {} 的计数",
  "{}, bytes": "{}，字节数",
  "{}, with collectives, without copies": "{}，含集合通信，不含拷贝",
  "{}, core {}": "{}，核 {}",
  "{}, device {}": "{}，设备 {}",
  "{}, difference": "{}，差值",
  "{}, from {}": "{}，自 {}",
  "{}, host threads": "{}，主机线程",
  "{}, in {}": "{}，在 {} 内",
  "{}, limit": "{}，上限",
  "{}, mean over steps {}-{}": "{}，Step {}-{} 的平均",
  "{}, on inputs of {}": "{}，输入类型为 {}",
  "{}, share": "{}，占比",
  "{}, share of active time": "{}，活跃时间占比",
  "{}, share of bytes": "{}，字节占比",
  "{}, step {}": "{}，Step {}",
  "{}, summed by the file itself": "{}，由文件自身汇总",
  "{}, the whole recording (no steps were recorded)": "{}，整个采集（没有记录 Step）",
  "{}, type {}": "{}，类型 {}",
  "{}, until {}": "{}，至 {}",
  "{}, {}": "{}，{}",
  "{}, {} of the traffic is in {} below {} MB, of {} in all.":
    "{0}，{1} 的流量在小于 {3} MB 的 {2}中，共 {4} 个。",
  "{}, {}, all threads": "{}，{}，所有线程",
  "{}: none of {} has both tags, each followed by a number.":
    "{}：{}中没有一行同时含有两个标签及其后的数字。",
  "{}: {}": "{}：{}",
  "{}: {} a step, {} above the median": "{}：每个 Step {}，比中位数多 {}",
  "{}: {} a step, {} of all waiting; {} later than the rank before it":
    "{}：每个 Step {}，占全部等待的 {}；比前一个晚 {}",
  "{}: {}.": "{}：{}。",
  "{}={}: {}.": "{}={}：{}。",
  // Opening profiles from the page.
  "'{}' is both a file and a folder": "“{}”既是文件又是文件夹",
  "cannot be stored: {}": "无法保存：{}",
  "cannot write in the folder for files: {}": "无法写入存放文件的文件夹：{}",
  "more than the announced {} bytes were sent": "发送的内容超过了所声明的 {} 字节",
  "the connection ended after {} of {} bytes": "连接在收到 {} 字节（共 {} 字节）后中断",
  "the disk of the server is too full: this is {}, and {} can be stored":
    "服务器的磁盘空间不足：需要 {}，还可保存 {}",
  "the name '{}' is given twice": "名称“{}”出现了两次",
  "the name '{}' is not accepted: {}": "不接受名称“{}”：{}",
  "the size of '{}' is not a number of bytes": "“{}”的大小不是字节数",
  "the upload has no file {}": "此次上传没有第 {} 个文件",
  "this is {}, and the server takes {} more (--upload-limit): close other uploads, or open the file by its path on the server":
    "需要 {}，而服务器还可接收 {}（--upload-limit）：请关闭其他上传，或按其在服务器上的路径打开",
  "this request needs Content-Type: {}": "此请求需要 Content-Type: {}",
  "{} of {} bytes arrived": "收到了 {} 字节，共 {} 字节",
} satisfies Record<TemplateSaid, string>;
