// The program's templates (src/base/message.h). A gap is `{}`; if the order differs, `{1}` is the second value.
import type { TemplateSaid } from "./templates_said";

export const templates = {
  "{} network transfer": "{} 个网络传输",
  "{} network transfers": "{} 个网络传输",
  "{} token": "{} 个 token",
  "{} tokens": "{} 个 token",
  "{} image": "{} 张图像",
  "{} images": "{} 张图像",
  "{} to {} images": "{} 到 {} 张图像",
  "{} to {} tokens": "{} 到 {} 个 token",
  "steady state: {} of {} steps": "稳态：{1} 个 Step 中的 {0} 个",
  "{} of {} steps": "{1} 个 Step 中的 {0} 个",
  "{} of {} steps that the engine's ranges name are not shown: they are on other threads, or inside another step":
    "引擎范围所指的 {1} 个 Step 中有 {0} 个未显示：它们在其他线程上，或在另一个 Step 之内",
  "Time of a step in which this runs: {}. Parts do not overlap; with the time without device work, they are the step.":
    "Step 中运行以下内容的时间：{}。各部分不重叠；加上无设备任务的时间即为整个 Step。",
  "Time of the step in which this runs: {}.": "该 Step 中运行以下内容的时间：{}。",
  "{} moved their bytes faster than the device's memory can: the data was in a cache.":
    "{}搬运数据比设备内存所能的更快：数据在缓存中。",
  "{} took less time than computing takes at the peak: a peak, a shape or a precision is wrong.":
    "{}用时少于峰值下的运算时间：峰值、形状或精度有误。",
  "{} of the device time that recorded ranges caused has a cost, collectives and copies over the link left out; the rest is below.":
    "由已记录的范围引起的设备时间中，{} 有代价（不计集合通信与主机间的拷贝）；其余列在下面。",
  "No recorded range caused {} of the device time, so the costs of that are unknown.":
    "{} 的设备时间没有引起它的已记录范围，其代价未知。",
  "{} to {}": "{} 到 {}",
  "{} and more": "{} 及以上",
  "under {}": "{} 以下",
  "peak {}": "峰值 {}",
  "Peak {}": "峰值 {}",
  "--peak {}: expected a precision or bandwidth and its peak per second, such as bf16=708T":
    "--peak {}：应为精度或 bandwidth 及其每秒峰值，如 bf16=708T",
  "Both have {}.": "两者均有 {}。",
  "Both ran on {}.": "两者均运行于 {}。",
  "It has {}, the baseline {}.": "它有 {}，基准有 {}。",
  "It ran on {}, the baseline on {}.": "它运行于 {}，基准运行于 {}。",
  "Most alike: {}": "最相似：{}",
  "The {} largest rows: there are smaller ones.": "仅显示最大的 {} 行，还有更小的行。",
  "function: no call is named '{}'": "function：没有名为 '{}' 的调用",
  "{} function": "{} 个函数",
  "{} functions": "{} 个函数",
  "{} not listed: still being read, or unreadable.": "{} 未列出：仍在读取或无法读取。",
  "{} of their operators are the same.": "二者的算子有 {} 相同。",
  "{} rank": "{} 个 rank",
  "{} ranks": "{} 个 rank",
  "{} profile is": "{} 份性能数据",
  "{} profiles are": "{} 份性能数据",
  " and starts {} after its launching call": "，在其下发调用之后 {} 开始",
  "'limit' is at most {}, not {}": "'limit' 最大为 {}，而不是 {}",
  "'place' must be a whole number, not '{}'": "“place”必须是整数，而不是“{}”",
  "'{}' follows the expression": "表达式之后还有“{}”",
  "'{}' has no parameter '{}'; it takes {}": "'{}' 没有参数 '{}'；可用参数：{}",
  "'{}' is both a file and a folder": "“{}”既是文件又是文件夹",
  "'{}' is neither a number nor a function": "“{}”既不是数字也不是函数",
  "'{}' must be a number or empty, not '{}'": "'{}' 必须是数字或为空，而不是 '{}'",
  "'{}' must be {}, not '{}'": "'{}' 必须是{}，而不是 '{}'",
  "'{}' takes a number, not '{}'": "'{}' 应为数字，而不是 '{}'",
  "'{}' takes {} values, not {}": "“{}”应有 {} 个值，而不是 {} 个",
  "'{}' {} times, {} ns; in the {}: {} times, {} ns": "'{}' {} 次、{} ns；{}中：{} 次、{} ns",
  "(process {} of the user {} waits for a request, but belongs to another user)":
    "（用户 {1} 的进程 {0} 也在等待请求，但属于另一用户）",
  "Active on {}": "{} 上的活跃时间",
  "All of this waiting is for {}, which arrives last.": "全部在等待最后到达的 {}。",
  "Attributed to the host range that launched them: {}.": "归属到下发它们的主机范围：{}。",
  "CPU {} in use": "CPU {} 使用率",
  "CSV holds one table, so name one; view {} has: {}": "CSV 只含一张表，请指定一张；视图 {} 有：{}",
  "DataParallel.forward was recorded, and {} devices ran kernels of this process.":
    "记录到 DataParallel.forward，且有 {} 个设备运行了此进程的内核。",
  "Device {}": "设备 {}",
  "Devices {}": "设备 {}",
  "Differs: {}": "差异：{}",
  "DuckDB cannot be started: {}": "无法启动 DuckDB：{}",
  "During {} of {whole} no device works until the next launch, in {} shorter than {}; the median kernel takes {}{delay}.":
    "{1}的 {0} 中没有设备工作，直到下一次下发：共 {2}，都短于 {3}；内核时长的中位数为 {4}{5}。",
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
  "In {} a device copies or fills memory and does not compute; the longest copy, {}, takes {}.":
    "{}中设备在拷贝或填充内存而不计算；最长的拷贝 {} 用时 {}。",
  "In {} of {} or more, no pipeline works for over {} of the time; this is {} of the kernel time. The longest is {}: its busiest pipeline works for {} of {}.":
    "不短于 {1} 的 {0}中没有流水线的工作时间超过 {2}，它们占内核时间的 {3}。最长的是 {4}：其最忙的流水线工作 {6} 中的 {5}。",
  "In {} longer than {}, the device idles and the host makes almost no calls; the longest lasts {} and begins at {}.":
    "有 {}超过 {} 的时间设备空闲且主机几乎没有调用；最长的持续 {}，始于 {}。",
  "By the file's own sums, the device computes for {} in step {} and only communicates for {}; the work that the file lists takes {} and {}.":
    "按文件自身的汇总，Step {1} 中设备计算 {0}、仅通信 {2}；而文件列出的任务分别为 {3} 和 {4}。",
  "Go to the longest gap under {}": "转到 {} 以内最长的空隙",
  "Step {} takes {}, {} times the median of {} ({}).": "Step {0} 用时 {1}，是 {3} 中位数（{4}）的 {2} 倍。",
  "It waits {} of that for {}, which comes last.": "其中 {} 在等待最后到达的 {}。",
  "Kernel time on {}": "{}上的内核时间",
  "Largest changes: {}.": "变化最大的：{}。",
  "Mean blocks per {}": "每 {} 平均线程块数",
  "Mean {}": "平均 {}",
  "Meanwhile the host is in {} for {}; the longest call takes {}.":
    "此时主机有 {1} 处于 {0} 中；最长的一次调用为 {2}。",
  "Memory of {}": "{} 的内存",
  "Most of the host's time in these gaps is in {}.": "这些空隙中主机的时间主要在 {}。",
  "Most time is in {} ({}, {}): {}.": "用时最多的是 {}（{}，{}）：{}。",
  "NTFF version {} is not decoded (supported: {}); convert it to JSON with the vendor's tool (view --output-format json)":
    "不能解码 NTFF 版本 {}（支持：{}）；请用厂商工具转换为 JSON（view --output-format json）",
  "No curve: {}.": "没有曲线：{}。",
  "No device was recorded: the host computes. The largest parts of its own time: {}, of {} in all steps.":
    "没有记录到设备：由主机计算。其自身时间中最大的部分：{}；所有 Step 共 {}。",
  "No known bottleneck pattern matched. Largest item: {}.": "没有匹配到已知的瓶颈模式。最大的一项：{}。",
  "No steps were recorded: {} counts as one step, numbered 0.":
    "没有记录 Step：以{}代表一个编号为 0 的 Step。",
  "None of them took {} here.": "这里都没有占用{}。",
  "Not drawn: {} more than a day away from the rest of the recording.":
    "未绘制：{}与采集的其余部分相距超过一天。",
  "Not in the curve, because the file does not say when they are live: {} ({}).":
    "文件没有说明 {}（{}）何时存活：它们不在曲线中。",
  "Not known: {}.": "未知：{}。",
  "Nothing runs on the {} before its end: this is the start of the program, or its warm-up.":
    "在其结束之前 {} 上没有任何运行：这是程序的启动或预热。",
  "Open in {}": "在“{}”中打开",
  "Operations and bytes are unknown for kernels that take {} of the kernels' time. The whole program's values cover the other kernels only, so its rate is at least the one shown.":
    "占 Kernel 时间 {} 的 Kernel 的运算量和字节数均未知：整个程序的数值只含其余 Kernel，其速率至少为所示值。",
  "Operator {} eligible": "算子可用{}",
  "PSUM bank {} in use": "PSUM bank {} 使用率",
  "Process {}": "进程 {}",
  "Python, {}": "Python，{}",
  "Row of the slice of its longest {}.": "其最长{}的切片的行号。",
  "S3_ENDPOINT is {}": "S3_ENDPOINT 为 {}",
  "SBUF partition {} in use": "SBUF 分区 {} 使用率",
  "SQL needs the library DuckDB, which cannot be loaded: {}": "SQL 需要 DuckDB 库，但无法加载：{}",
  "STORAGE_EMULATOR_HOST is {}": "STORAGE_EMULATOR_HOST 为 {}",
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
  "The mean step is as long as in the baseline: {}.": "平均 Step 与基准一样长：{}。",
  "The mean step takes {} instead of {}: {} ({}{}).": "平均 Step 用时 {}，原为 {}：{}（{}{}）。",
  "The model's operations are {} of what the matrix units could have done in the {} in which their engine was active.":
    "模型的运算只占矩阵单元在其引擎活跃的 {1} 内所能完成的 {0}。",
  "The program marked no steps: each call of {} counts as a step.":
    "程序没有标记 Step：把 {} 的每次调用当作一个 Step。",
  "The program marked no steps: each run of {} on {} counts as a step.":
    "程序没有标记 Step：把 {} 在 {} 上的每次运行当作一个 Step。",
  "The recording has no device work of {}: what the device did then is unknown, so it was busy for at least as long as is shown.":
    "采集中没有{}的设备任务：设备当时做了什么未知，其忙碌时间不少于所示。",
  "The {} idles at times": "{} 有时空闲",
  "The {} idles, and the recording does not show why": "{} 空闲，采集数据没有显示原因",
  "The {} largest of {} paths; the others hold {} of the host time and {} of the device time.":
    "{1} 条路径中最大的 {0} 条；其余占主机时间的 {2}、设备时间的 {3}。",
  "The {} largest of {} rows; the rows around the others include their time.":
    "{1} 行中最大的 {0} 行；其余行的时间包含在其上层之中。",
  "The {} that held most are drawn; the table has {} more.": "只绘制持有最多的 {} 个；表中另有 {} 个。",
  "The {} was recorded without device activity.": "{}没有记录设备活动。",
  "They account for {}; the compiler made the others.": "手写内核占 {}；其余由编译器生成。",
  "Thread {}": "线程 {}",
  "Throttling by {}": "{} 限频",
  "Total {}": "{} 合计",
  "Where the timeline shows the longest {}.": "时间线上最长的{}的位置。",
  "Whether it runs on {}.": "是否在{}上运行。",
  "Whether kernels run on {}": "内核是否在{}上运行",
  "Whether {} can run it.": "{}能否运行它。",
  "Whether {} could run the launching operator, judged by its name.":
    "按名称判断，下发它的算子能否在{}上运行。",
  "a ) is missing after the values of '{}'": "“{}”的值之后缺少 )",
  "a formula has 7 columns, this line has {}": "公式有 7 列，此行有 {} 列",
  "a header cannot have {} bytes": "头部不可能为 {} 字节",
  "a header of {} bytes: that of a compiled model has 1024": "头部为 {} 字节：编译后的模型的头部为 1024 字节",
  "a line break cannot be part of the header {}": "头 {} 中不能有换行",
  "a link names an unknown view '{}'": "链接指向未知的视图 '{}'",
  "a number is expected in field {}": "字段 {} 应为数字",
  "a plane that contains {} of Neuron's older profiler is not read; open the log that its tool writes (plugins/neuron/TIME) instead":
    "一个平面包装了 Neuron 旧版性能分析器的 {}，不予读取；请打开其工具由此生成的日志（plugins/neuron/TIME），该日志可以读取",
  "a poll names {} processes": "轮询消息列出了 {} 个进程",
  "a range needs start < end, not {} and {}": "范围要求 start < end，而不是 {} 与 {}",
  "a sum of {} differs from the {}, whose sum is shown: {}": "{0} 中有汇总与{1}不同，此处显示后者的汇总：{2}",
  "a value is expected at '{}'": "“{}”处应为一个值",
  "a view '{}' exists already: choose another id": "视图 '{}' 已存在：请换一个 id",
  "an archive cannot have {} bytes": "归档不可能为 {} 字节",
  "at place {}": "位置 {} 处",
  "at {}": "在 {}",
  "calling {}": "正在请求 {}",
  "cannot answer PyTorch processes: {}": "无法应答 PyTorch 进程：{}",
  "cannot be run: {}": "无法运行：{}",
  "cannot be stored: {}": "无法保存：{}",
  "cannot create a folder there: {}": "无法在此创建文件夹：{}",
  "cannot create the folder: {}": "无法创建文件夹：{}",
  "cannot read the folder of views: {}": "无法读取视图文件夹：{}",
  "cannot remove the markers: {}": "无法删除标记：{}",
  "cannot write in the folder for files: {}": "无法写入存放文件的文件夹：{}",
  "compare {} with {}": "比较 {} 与 {}",
  "compute on {}: mixed precision, or TF32": "在 {} 上计算：混合精度或 TF32",
  "declared: {}": "已声明：{}",
  "device {} did no work in this profile; those that did: {}":
    "设备 {} 在此性能数据中没有工作；有工作的设备：{}",
  "device: nothing ran on {}; available:{}": "device：{} 上没有运行任何算子；有：{}",
  "derived takes waits, not '{}'": "derived 只能是 waits，而不是 '{}'",
  "expected ',' or '{}'": "应为 ',' 或 '{}'",
  "expected '{}' {}": "{1}应为 '{0}'",
  "find out why step {} is slow": "找出 Step {} 慢的原因",
  "find out why {} comes late to collectives": "查明 {} 为何迟到集合通信",
  "for matched calls: {}": "仅已匹配者：{}",
  "group takes module, operator or layer, not '{}'": "group 只能是 module、operator 或 layer，而不是 '{}'",
  "group {}": "通信组 {}",
  "gzip: {} at byte {} of the file": "gzip：{}，位于文件的第 {} 字节",
  "Idle causes, device {}": "空闲原因，设备 {}",
  "it answered {} {}": "应答为 {} {}",
  "it belongs to the user {}; only that user may record it": "属于用户 {}，只有该用户可以采集",
  "it did not check for a request within {}: {}": "{} 内没有询问请求：{}",
  "it ended ({}) before anything was recorded": "在采集到任何内容之前已结束（{}）",
  "it has only {} of its {} bytes": "其 {1} 字节中只有 {0} 字节",
  "it {}": "它{}",
  "its torch is {}; releases before 2.7 may never check for a request":
    "它的 torch 为 {}；2.7 之前的版本可能从不询问请求",
  "kernels on the {}": "{} 上的内核",
  "kinds are launch, forward_backward and other, not '{}'":
    "kinds 只能是 launch、forward_backward 与 other，而不是 '{}'",
  "length of (union of kernels ∩ bucket) / length of the bucket; {}":
    "length of (union of kernels ∩ bucket) / length of the bucket; {}",
  "length of (union of work ∩ bucket) / length of the bucket; {}":
    "length of (union of work ∩ bucket) / length of the bucket; {}",
  "listening for {} of {}": "正在监听：{}，共 {}",
  "listening for {}: {}": "正在监听：{}，{}",
  "live: {}": "存活：{}",
  "loading {}, storing {} and vector {} of the time": "加载 {}、存储 {}、向量 {}（占时间）",
  "look at {}": "查看 {}",
  "make {} cheaper, or move it to a device": "降低 {} 的开销，或把它移到设备上",
  "matrix unit {} and loading {} of the time": "矩阵单元 {}、加载 {}（占时间）",
  "mean of {} steps": "{} 个 Step 的平均",
  "memory space {}": "内存空间 {}",
  "more than the announced {} bytes were sent": "发送的内容超过了所声明的 {} 字节",
  "more than {} markers": "标记超过 {} 个",
  "more than {} sets of markers": "标记集超过 {} 个",
  "no PyTorch process checked for a request within {}: {}": "{} 内没有 PyTorch 进程询问请求：{}",
  "no PyTorch process of job {} checked for a request within {}: {}":
    "{1} 内没有作业 {0} 的 PyTorch 进程询问请求：{2}",
  "no answer within {} s (SIGHTLINE_CLOUD_TIMEOUT is how many seconds to wait)":
    "{} 秒内没有应答（SIGHTLINE_CLOUD_TIMEOUT 为等待的秒数）",
  "no call of '{}' has these inputs": "没有 '{}' 的调用具有这些输入",
  "no column '{}' in table {}; available: {}": "表 {1} 中没有列 '{0}'；已有：{2}",
  "no format '{}'; available: json, csv, markdown, text": "没有格式 '{}'；可用：json、csv、markdown、text",
  "no lane '{}'; lanes have the numbers of the timeline": "没有泳道 '{}'：编号见时间线",
  "no links of a group {}; there are {}": "没有通信组 {} 的链路；已有：{}",
  "no memory recorded on a device '{}'; there are some on: {}": "设备 '{}' 上没有记录内存；以下设备有：{}",
  "no operator call {} in this profile": "这份性能数据没有算子调用 {}",
  "no operator {} of a program in this profile": "这份性能数据没有编号为 {} 的程序算子",
  "no pipe: {}": "没有管道：{}",
  "no profile found in {} files of {} directories (looked for: {})":
    "在 {1} 个目录的 {0} 个文件中没有找到性能数据（查找的格式：{2}）",
  "no profile has the name '{}'": "没有名为 '{}' 的性能数据",
  "no server answers there ({})": "无人应答（{}）",
  "no slice {}": "没有切片 {}",
  "no step {} in any worker; its steps are {}": "任何工作进程都没有 Step {}；已有的 Step：{}",
  "no step {} in any worker; no steps were recorded": "任何工作进程都没有 Step {}；没有记录 Step",
  "no step {} in this profile; its steps are {}": "这份性能数据没有 Step {}；已有的 Step：{}",
  "no such file: {}": "没有这样的文件：{}",
  "no such log: logs are numbered 1 to {}": "没有这样的日志：编号为 1 到 {}",
  "no such object or bucket: {}": "没有这样的对象或存储桶：{}",
  "unknown way to record: '{}'; available: {}, {}, {}, {}": "没有采集方式 '{}'；可用：{}、{}、{}、{}",
  "no table '{}' in view {}; available: {}": "视图 {1} 中没有表 '{0}'；已有：{2}",
  "no view was named; available: {}": "没有指定视图；已有：{}",
  "no {} '{}'; available: {}": "没有 {} '{}'；已有：{}",
  "no {} {}": "没有 {} {}",
  "node: '{}' is not a path such as 0-3-1": "node：'{}' 不是 0-3-1 这样的路径",
  "node: {} leads nowhere: {} has {} parts": "node：{} 不存在：{} 有 {} 个部分",
  "not JSON: {}": "不是 JSON：{}",
  "not a number: '{}'": "不是数字：“{}”",
  "not a profile in a supported format ({})": "不是本程序可读格式（{}）的性能数据",
  "not a readable Parquet file: {}": "不是可读的 Parquet 文件：{}",
  "not a set of markers: {}": "不是标记集：{}",
  "nothing could be read: {}": "没有可读取的内容：{}",
  "of {} on average": "平均 {}",
  "one of {}": "以下之一：{}",
  "opening failed: {}": "打开失败：{}",
  "package version {} of a compiled model is not known (1 and 2 are)":
    "编译后模型的包版本 {} 未知（已知 1 与 2）",
  "places at which the device had no room for {}: one or more are missing before each":
    "设备在这些位置没有空间写入{}：每处之前缺少一个或多个",
  "process {}": "进程 {}",
  "process {} ({command})": "进程 {}（{}）",
  "process {} of the user {} can be recorded by that user only": "用户 {1} 的进程 {0} 只有该用户可以采集",
  "process {}: {}": "进程 {}：{}",
  "program: no program '{}' has a memory plan; available:{}": "program：没有程序“{}”的内存规划；有：{}",
  "reading failed: {}": "读取失败：{}",
  "reading stopped at {} of {}, because it needs more than the {} of memory that --memory allows: the rest of the file is missing":
    "读取在 {1} 中的 {0} 处停止，因为所需内存超过 --memory 允许的 {2}：文件中此后的内容缺失",
  "recorded to {}": "已采集到 {}",
  "recorded without blocks per {}": "没有记录每 {} 线程块数",
  "recording failed: {}": "采集失败：{}",
  "recording for {} s": "采集中，还有 {} 秒",
  "root: no outermost module is named {}": "root：没有名为 {} 的最外层模块",
  "rows of the section {} are not read": "区段 {} 的各行不读取",
  "shorten {} on the host": "缩短主机上的 {}",
  "shorter than {}": "短于 {}",
  "space: no program keeps anything in '{}'": "space：没有程序在“{}”中存放任何值",
  "starting in {} s": "{} 秒后开始",
  "step {}": "Step {}",
  "steps {}-{}": "Step {}-{}",
  "stopped after the {} seconds that a query may take: query less data":
    "查询允许 {} 秒，已停止：请查询更少的数据",
  "stream {}": "流 {}",
  "sum of {} of this part and those above it": "sum of {} of this part and those above it",
  "table {}: {}": "表 {}：{}",
  "text or a message is expected in field {}": "字段 {} 应为文本或消息",
  "the Host header names '{}', which is not this server; use localhost, or --host":
    "Host 头为 '{}'，不是本服务器；请使用 localhost，或 --host",
  "the annotations of graph nodes in {} cannot be read: {}": "无法读取 {} 中图节点的标注：{}",
  "the answer has no column '{}'; it has: {}": "结果中没有列 '{}'；已有：{}",
  "the compiler's log {} cannot be read: {}": "无法读取编译器日志 {}：{}",
  "the archive unpacks to more than {} GiB": "归档解包后超过 {} GiB",
  "the archive's hash is {}, the header says {}: the file was changed, or its header means something else":
    "归档的哈希为 {}，而头部写的是 {}：文件被改动过，或其头部另有含义",
  "the body is larger than {} bytes": "请求体大于 {} 字节",
  "the connection ended after {} of {} bytes": "连接在收到 {} 字节（共 {} 字节）后中断",
  "the credentials of the profile '{}' (AWS_PROFILE) were refused": "配置 '{}'（AWS_PROFILE）的凭据被拒绝",
  "the credentials of {} were refused": "{} 的凭据被拒绝",
  "the disk of the server is too full: this is {}, and {} can be stored":
    "服务器的磁盘空间不足：需要 {}，还可保存 {}",
  "the engine has written no trace to {}": "引擎没有向 {} 写入跟踪文件",
  "the file ends before its traceEvents ({})": "文件在 traceEvents 之前就结束了（{}）",
  "the file ends early: its archive should have {} bytes and has {}":
    "文件提前结束：其归档的 {} 字节中只有 {} 字节",
  "the file has changed and cannot be read; its previous version is shown: {}":
    "文件已变化且无法重新读取，以下是之前的内容：{}",
  "counts: the file has no weights of {}": "counts：文件没有 {} 的权重",
  "thread: no thread is called {}": "thread：没有名为 {} 的线程",
  "of the logs of step metrics, the first {} files and {} values were read":
    "Step 指标的日志只读取了前 {} 个文件与 {} 个值",
  "there are more than {} tables beside the file; the others were not looked at":
    "文件旁的表超过 {} 个；未查看其余的表",
  "{} of {} logged values of step metrics belong to recorded steps, by the step's number and the time":
    "所记录的 Step 指标值中有 {} 个（共 {} 个）属于已采集的 Step，按 Step 编号与时间",
  "{} of {} logged values of step metrics belong to recorded steps, by the step's number: the profile has no date":
    "所记录的 Step 指标值中有 {} 个（共 {} 个）属于已采集的 Step，按 Step 编号：性能数据没有日期",
  "{} stack": "{} 个调用栈",
  "{} stacks": "{} 个调用栈",
  "{}: damaged records of step metrics were left out": "{}：损坏的 Step 指标记录已略去",
  "{}: the log ends inside a record; what is before it was read":
    "{}：日志在一条记录中间结束；之前的内容已读取",
  "{}: it has no times, so its samples have no place in the recording; `| ts %.s` behind the monitor's command adds them, and `amd-smi monitor --csv --watch 1` writes them":
    "{}：没有时间，因此其采样在采集中没有位置；在监控命令后加 `| ts %.s` 可添加时间，`amd-smi monitor --csv --watch 1` 会写出时间",
  "the file is not read: it holds more than {} of JSON": "文件不读取：其中的 JSON 超过 {}",
  "the header calls the archive packed, but a package of version {} is not":
    "头部称归档为压缩的，但版本 {} 的包并不压缩",
  "the header calls the archive plain, but a package of version {} is not":
    "头部称归档为未压缩的，但版本 {} 的包是压缩的",
  "the header gives {} bytes, {} follow": "头部给出 {} 字节，其后有 {} 字节",
  "the host's part of this recording ({}) has no public layout and is not read; convert it with the vendor's tool (neuron-explorer view -d FOLDER --output-format json, or parquet) and open the result":
    "此采集的主机部分（{}）的布局未公开，因此不读取；请用厂商工具转换（neuron-explorer view -d FOLDER --output-format json 或 parquet）后再打开",
  "the name '{}' is given twice": "名称“{}”出现了两次",
  "the name '{}' is not accepted: {}": "不接受名称“{}”：{}",
  "the object ends before its {} bytes: it was replaced while it was being read":
    "对象不足 {} 字节：它在读取期间被替换",
  "the packed archive is damaged before byte {}": "压缩的归档在第 {} 字节之前已损坏",
  "the path of a socket may have at most {} bytes": "套接字的路径最多 {} 字节",
  "the program marked no steps: each call of {} counts as a step": "程序没有标记 Step：每次调用 {} 算作一个",
  "the program marked no steps: each run of {} on {} counts as a step":
    "程序没有标记 Step：{} 在 {} 上的每次运行算作一个",
  "the query failed: it needs more memory than the {} MB allowed, or the profile's file was truncated":
    "查询失败：所需内存超过允许的 {} MB，或性能数据的文件被截断",
  "the query needs more memory than the {} MB allowed": "查询所需内存超过允许的 {} MB",
  "the query needs more memory than the {} MB allowed: query less data":
    "查询所需内存超过允许的 {} MB：请查询更少的数据",
  "the query writes more than {} MB of temporary files, or the disk is full":
    "查询写入的临时文件超过 {} MB，或磁盘已满",
  "the query writes more than {} MB of temporary files: query less data":
    "查询写入的临时文件超过 {} MB：请查询更少的数据",
  "the recording of a graph's capture, {}, cannot be read: {}": "无法读取图的捕获记录 {}：{}",
  "the request comes from a page of another site: {}": "请求来自其他站点的页面：{}",
  "the request has no Host header that names one host: '{}'": "请求没有指明唯一主机的 Host 头：'{}'",
  "the server's certificate is not trusted (SSL_CERT_FILE names certificates to trust): {}":
    "服务器的证书不受信任（SSL_CERT_FILE 指定受信任的证书）：{}",
  "the server's certificate is not trusted (SSL_CERT_FILE names certificates to trust; S3_VERIFY_SSL=0 trusts any): {}":
    "服务器的证书不受信任（SSL_CERT_FILE 指定受信任的证书；S3_VERIFY_SSL=0 信任任何证书）：{}",
  "the size of '{}' is not a number of bytes": "“{}”的大小不是字节数",
  "the socket through which PyTorch processes check for requests is in use by {}; only one program at a time can record: end it, or wait until it is done":
    "PyTorch 进程询问请求所用的套接字正被{}占用；一次只能有一个程序采集：请结束它，或等待它完成",
  "the start must be {} ahead: processes check for a request every {}, may start one check later, and warm up":
    "开始时间须在 {} 之后：进程每 {} 询问一次请求，可能晚一次才开始，并需预热",
  "the system cannot create a {}: {}": "系统无法创建 {}：{}",
  "the system has no random numbers for a token: {}": "系统没有可用于令牌的随机数：{}",
  "the tables have version {}; Sightline knows version {}, and ignores other names":
    "这些表的版本为 {}；已知版本为 {}：名称不同的内容无法理解",
  "the unit is matrix, vector or memory, not '{}'": "单元应为 matrix、vector 或 memory，而不是“{}”",
  "the upload has no file {}": "此次上传没有第 {} 个文件",
  "the value of '{}' holds a zero byte": "'{}' 的值含有零字节",
  "the vendor's tool says: {} ({})": "厂商工具提示：{}（{}）",
  "the view '{}' is not a report about a profile: use {}": "视图 '{}' 不是关于性能数据的报告：请使用 {}",
  "the view failed: {}": "视图计算失败：{}",
  "there is no function '{}'": "没有函数“{}”",
  "this is {}, and the server takes {} more (--upload-limit): close other uploads, or open the file by its path on the server":
    "需要 {}，而服务器还可接收 {}（--upload-limit）：请关闭其他上传，或按其在服务器上的路径打开",
  "this older release wrote the profile to its own disk: {}":
    "较旧的版本：它把性能数据写到了自己的磁盘上：{}",
  "this profile has no rows in the table {}": "此性能数据的表 {} 中没有行",
  "this program was built without libgrpc++, or it is not installed: {}":
    "此程序构建时没有 libgrpc++，或未安装：{}",
  "this request needs Content-Type: {}": "此请求需要 Content-Type: {}",
  "thread {}": "线程 {}",
  "thread: no thread has the number {}": "thread：没有编号为 {} 的线程",
  "torch {} can crash when it starts with KINETO_USE_DAEMON set; 2.10 does not":
    "torch {} 在设置了 KINETO_USE_DAEMON 时启动可能崩溃；2.10 不会",
  "unknown parameter '${}'; {}": "未知参数 '${}'；{}",
  "unknown tables are not read: {}": "未知的表不读取：{}",
  "vector {}, loading {} and storing {} of the time": "向量 {}、加载 {}、存储 {}（占时间）",
  "version {}.{} of a compiled model is not known": "编译后模型的版本 {}.{} 未知",
  "waiting for the files of the engine: {}": "等待引擎的文件：{}",
  "without worker {}, which could not be read: {}": "不含工作进程 {}，无法读取它：{}",
  "{} (byte {} of the unpacked archive)": "{}（解包后归档的第 {} 字节）",
  "{} (launched by {})": "{}（由 {} 下发）",
  "{} (stated)": "{}（文件所述）",
  "{} ({advice})": "{}（{}）",
  "{} ({cause})": "{}（{}）",
  "{} ({detail})": "{}（{}）",
  "{} ({pid})": "{} ({})",
  "{} ({})": "{}（{}）",
  "{} ({}): {} on average, {} for {} and {} for {}, {} of the average apart.":
    "{0}（{1}）：平均 {2}，{4} 为 {3}，{6} 为 {5}，相差平均值的 {7}。",
  "{} against {}": "{} 对比 {}",
  "{} and {}": "{}、{}",
  "{} and {} more": "{} 等另外 {} 个",
  "{} are not used": "没有使用 {}",
  "{} arrived later than chance explains in {} (some rank did in {}): its time in these is an outlier below the times of the other ranks.":
    "{} 到达{}的时间比偶然所能解释的更晚（共 {} 个有此类 rank）：其处于其中的时间是低于其他 rank 的离群值。",
  "{} busy": "{} 忙碌",
  "{} by a linked id": "{} 个按关联 id",
  "{} by an id on the kernel itself": "{} 个按内核自身的 id",
  "{} by part": "各部分的{}",
  "{} by the capture of the graph that ran them": "{} 个依据运行它们的图的捕获",
  "{} by the range that was open when the launching call began": "{} 个按下发调用开始时所处的范围",
  "{} by {time}": "{}，按{}",
  "{} by {}": "{1}的 {0}",
  "{} call": "{} 次调用",
  "{} call of the data loader": "{} 次数据加载器调用",
  "{} call stack": "{} 个调用栈",
  "{} call stacks": "{} 个调用栈",
  "{} calls": "{} 次调用",
  "{} calls of the data loader": "{} 次数据加载器调用",
  "{} carry no sequence number and are matched by their order in each step.":
    "{}没有序号，按其在每个 Step 中的次序匹配。",
  "{} compilation": "{} 次编译",
  "{} compilations": "{} 次编译",
  "{} collection": "{} 次回收",
  "{} collections": "{} 次回收",
  "{} collective": "{} 个集合通信",
  "{} collectives": "{} 个集合通信",
  "{} collectives per step are small ({size}; {} in all): half of them take {} or less. While only they run, {} passes.":
    "每个 Step 有 {} 次集合通信很小（{}；共 {} 次）：一半用时不超过 {}。只有它们在运行的时间占{}。",
  "{} compiled operators and took {} of the host's time, {}; {} had shapes that were not known in advance, such as {}.":
    "{}在编译算子，占用主机时间 {}，{}；{}的形状事先未知，例如 {}。",
  "{} compiled region": "{} 个编译的区域",
  "{} compiled regions": "{} 个编译的区域",
  "{} control": "{} 控制",
  "{} data transfer": "{} 数据传输",
  "{} done": "{} 个已完成",
  "{} driver version": "{} 驱动版本",
  "{} eligible": "{} 可用",
  "{} engine": "{} 引擎",
  "{} engine active": "{} 引擎活跃时间",
  "{} engine, hand-written": "{} 引擎手写指令占比",
  "{} engine, instruction time": "{} 引擎指令时间",
  "{} engine, instructions": "{} 引擎指令数",
  "{} event": "{} 个事件",
  "{} events": "{} 个事件",
  "{} execution": "{} 执行",
  "{} from rank to rank in larger groups": "{} 个是较大通信组内的点对点通信",
  "{} from {}, {}": "自 {1} 起 {0}，{2}",
  "{} fused into {}": "{}融合进 {}",
  "{} gap": "{} 段空隙",
  "{} gaps": "{} 段空隙",
  "{} graph": "{} 个图",
  "{} graphs": "{} 个图",
  "{} has iterations more than once; the last line counts.": "{} 中有重复的迭代；以最后一行为准。",
  "{} has more than {} characters": "{}超过 {} 个字符",
  "{} has the same worker and time as {} and is shown as span {}":
    "{} 与 {} 的工作进程和时间相同，显示为采集段 {}",
  "{} hook": "{} 个钩子",
  "{} hooks": "{} 个钩子",
  "{} is a view or a virtual table, which is not run: only tables are read":
    "{} 是视图或虚拟表，不会执行：只读取表",
  "table {} has more rows than the file has room for": "表 {} 的行数超出文件所能容纳",
  "{} is beside the database: its writer was interrupted, so its last changes may be incomplete":
    "{} 位于数据库旁：写入曾被中断，因此最后的改动可能不完整",
  "{} is beside this profile and has its name, but is another program: its UUID is {}, the profile's {}; it is not used":
    "{} 位于此性能数据旁且名称相同，但属于另一个程序：其 UUID 为 {}，而性能数据的为 {}；未使用",
  "{} is drawn; {} beside it is not": "已绘制 {}；未绘制其旁的 {}",
  "{} is in collectives for {} a step; data moves for only {} of it, by the sums in its files.":
    "{} 每个 Step 有 {} 处于集合通信中；按其文件中的汇总，其中只有 {} 在传输数据。",
  "{} is missing: {}": "缺少 {}：{}",
  "{} is not UTF-8": "{}不是 UTF-8",
  "{} is not in the database: {}": "数据库中没有 {}：{}",
  "{} is spent in communication while no device computes or copies.":
    "{}用于通信，其间没有设备在计算或拷贝。",
  "{} is spent in data loading while nothing else happens.": "{}用于数据加载，其间没有其他活动。",
  "{} kernel": "{} 个内核",
  "{} kernels": "{} 个内核",
  "{} kind of problem": "{} 类问题",
  "{} kinds of problems": "{} 类问题",
  "{} lacks rows: {}": "{} 缺少行：{}",
  "{} lane": "{} 条泳道",
  "{} lanes": "{} 条泳道",
  "{} launch": "{} 次启动",
  "{} launch of a graph": " {} 次图启动",
  "{} launches": "{} 次启动",
  "{} launches of graphs": " {} 次图启动",
  "{} line": "{} 行",
  "{} lines": "{} 行",
  "{} loaded more than {} times over; {} was loaded {} times, {} in all.":
    "{}被加载超过 {} 次；{} 被加载 {} 次，共 {}。",
  "the logs have more than {} points": "这些日志超过 {} 个点",
  "{} logs; at most {} are compared": "{} 份日志；最多比较 {} 份",
  "{} longer than {} ran on a CPU core of the device and took {} ({} of the kernel time); the longest is {}.":
    "{0}长于 {1}，在设备的 CPU 核上运行，用时 {2}（占内核时间的 {3}）；最长的是 {4}。",
  "{} lost": "{} 个已丢失",
  "{} module": "{} 个模块",
  "{} modules": "{} 个模块",
  "{} must be the number of a log, from 1, not '{}'": "{} 应为日志的编号，从 1 开始，而不是 '{}'",
  "{} name": "{} 个名称",
  "{} names": "{} 个名称",
  "{} not attributed": "{} 个未归属",
  "{} of kernels ran while the clock was 5% or more below {} MHz, the highest recorded, and took {} of the kernel time. Most was lost in {}: {} below, over {}.":
    "{0}的内核运行时频率比记录的最高值 {1} MHz 低 5% 以上，它们占内核时间的 {2}。损失最多的是 {3}：在 {5} 内低 {4}。",
  "{} of kernels, with {} of the kernel time, used the cores less than is usual.":
    "{}内核（占内核时间的 {}）对核的利用低于通常水平。",
  "{} of the instructions of {}": "{1} 指令的 {0}",
  "{} of the job's {} ranks were recorded.": "作业的 {1} 个 rank 中只有 {0} 个。",
  "Only {} of the job's {} ranks were recorded. The waits of the other ranks, and the waits for them, are unknown.":
    "作业的 {1} 个 rank 中只有 {0} 个：看不到其余 rank 在等谁，以及谁在等它们。",
  "{} of the kernel time is not on {}; elementwise work, copies and concatenations take {}, most of it in {} ({}).":
    "内核时间的 {} 不在 {} 上；逐元素运算、拷贝与拼接占 {}，其中最多的是 {}（{}）。",
  "{} of the matrix kernels among them had an inner axis that is not a multiple of {}.":
    "其中 {} 个矩阵内核的内轴不是 {} 的整数倍。",
  "{} of the operations only transpose; they count here.": "{} 的运算仅为转置；此处计入。",
  "{} of the operations that ran only transpose matrices.": "执行的运算中有 {} 只是转置矩阵。",
  "{} of the operators' kernel time is launched by operators that {} can run, and no kernel runs on them.":
    "算子的内核时间中有 {} 由 {} 可运行的算子下发，但没有内核在其上运行。",
  "{} of the recording ({})": "采集时间的 {}（{}）",
  "{} of the step ({} per step)": "Step 的 {}（每个 Step {}）",
  "{} of the steps": "为 Step 的 {}",
  "{} of the {} read from device memory were spilled before.":
    "从设备内存读取的 {1} 中有 {0} 是此前溢出的数据。",
  "{} of the {} workers of this span are not read yet: advice that compares workers is missing here.":
    "此时段的 {1} 个工作进程中有 {0} 个尚未读取：此处缺少比较工作进程的建议。",
  "{} of {ranks}": "{}（共 {}）",
  "{} of {whole}": "{1}的 {0}",
  "{} of {whole} is unexplained": "{1}的 {0} 未解释",
  "{} of {}": "{1} 的 {0}",
  "{} of {} are not matched across workers and count neither as transfer nor as waiting: {}.":
    "{1}中有 {0} 个没有跨工作进程匹配，既不计入传输也不计入等待：{2}。",
  "{} of {} bytes arrived": "收到了 {} 字节，共 {} 字节",
  "{} of {} copies carry less than 512 B; copies are active in {} of the active time.":
    "{1} 个拷贝中有 {0} 个不足 512 B；拷贝占活跃时间的 {2}。",
  "{} of {} kernels ({}) are shorter than {}; they make up {} of the kernel time.":
    "{1} 个内核中有 {0} 个（{2}）短于 {3}，它们占内核时间的 {4}。",
  "{} of {} matched collectives have ranks that were not recorded: waiting for the missing ranks is unknown.":
    "{1} 个已匹配的集合通信中有 {0} 个的 rank 不全：看不到谁在等缺少的 rank。",
  "{} of {} or longer, in which the host works, took {} of {whole}; the longest lasts {} and begins at {}.":
    "{0}达到或超过 {1} 且主机在工作，占{3}的 {2}；最长的持续 {4}，始于 {5}。",
  "{} of {} or more ran in a number of blocks that is not a multiple of the number of cores, and took {} of the kernel time. The longest is {}: {} blocks on {} cores.":
    "{0}不短于 {1}，所切分的块数不是设备核数的整数倍，它们占内核时间的 {2}。最长的是 {3}：{5} 个核上 {4} 个块。",
  "{} of {} over {} B within a node had a size that is not a multiple of {} B; most time is in those of {} B of {}.":
    "节点内大于 {2} B 的 {1}中有 {0} 个不是 {3} B 的整数倍；用时最多的是 {5} 中 {4} B 的数据包。",
  "{} of {} with distinct input shapes": "{1}（按输入形状区分）的 {0}",
  "{} of {}, all threads": "{1}的 {0}，所有线程",
  "{} operator": "{} 个算子",
  "{} operators": "{} 个算子",
  "{} overview": "{} 总览",
  "{} packet": "{} 个数据包",
  "{} packets": "{} 个数据包",
  "{} part": "{} 个部分",
  "{} parts": "{} 个部分",
  "{} path": "{} 条路径",
  "{} paths": "{} 条路径",
  "{} physical cores cannot make up a logical core": "{} 个物理核不能组成一个逻辑核",
  "{} processes can be recorded: {}; use --pid N or --all":
    "有 {} 个进程可以采集：{}；请使用 --pid N 或 --all",
  "{} processes found": "{} 个进程在询问",
  "{} processes: {}": "{} 个进程：{}",
  "{} ran beside kernels with less than {} of what a link can do (18 GB/s); the slowest, {}, moved {} over {} and kernels ran during {} of its {}.":
    "{0}与内核同时运行，低于链路能力（18 GB/s）的 {1}；最慢的 {2} 经 {4} 传输 {3}，在其 {6} 中有 {5} 有内核运行。",
  "{} range": "{} 个区间",
  "{} ranges": "{} 个区间",
  "{} ranks were recorded; the files mention {}.": "此处有 {} 个 rank；文件提到 {} 个。",
  "{} record": "{} 条记录",
  "{} recording": "{} 个采集中",
  "{} records": "{} 条记录",
  "{} requested": "{} 个已请求",
  "{} row": "{} 行",
  "{} rows": "{} 行",
  "{} run kernels during only {} of {whole}.": "{0} 分别只在{2}的 {1} 中运行内核。",
  "{} runs kernels during only {} of {whole}.": "{0} 只在{2}的 {1} 中运行内核。",
  "{} runtime version": "{} 运行时版本",
  "{} s: {} of {} answered": "{0} 秒：{2} 个中已应答 {1} 个",
  "{} seen on one worker only": "{} 个只在一个工作进程上出现",
  "{} self": "{} 自身",
  "{} slices are too many to export from the page (at most {}): choose a smaller window or fewer lanes, or use sightline export":
    "{} 个切片太多，不能从页面导出（最多 {}）：请选择更小的窗口或更少的泳道，或使用 sightline export",
  "{} step": "{} 个 Step",
  "{} step is": "{} 个 Step",
  "{} steps": "{} 个 Step",
  "{} steps are": "{} 个 Step",
  "{} steps ended before the recording of devices began and are left out":
    "{} 个 Step 在开始记录设备之前已结束，不计入",
  "{} steps ended before the recording of devices began and are left out.":
    "{} 个 Step 在开始记录设备之前已结束，不计入。",
  "{} stretch": "{} 段",
  "{} stretches": "{} 段",
  "{} sum": "{} 项合计",
  "{} sums": "{} 项合计",
  "{} takes a number, not '{}'": "{} 应为数字，而不是 '{}'",
  "{} takes an integer of ns, at most 2^53, not '{}'": "{} 应为以 ns 为单位、不超过 2^53 的整数，而不是 '{}'",
  "{} takes the largest part of the host's time": "{} 在主机时间中占比最大",
  "{} takes numbers separated by commas, not '{}'": "{} 应为以逗号分隔的数字，而不是 '{}'",
  "{} takes {} a step, {} takes {}: {} more, {} of the mean step ({}), by the sums in the files.":
    "按文件中的汇总，{0} 每个 Step 用时 {1}，{2} 为 {3}：多 {4}，占平均 Step（{6}）的 {5}。",
  "{} takes {} a step, {} takes {}: {} more, {} of the mean step ({}).":
    "{0} 每个 Step 用时 {1}，{2} 为 {3}：多 {4}，占平均 Step（{6}）的 {5}。",
  "{} tensor was": "{} 个张量",
  "{} tensors were": "{} 个张量",
  "{} to allocate or release memory of the device took {}; the longest, {}, took {}.":
    "{}（分配或释放设备内存）用时 {}；最长的 {} 用时 {}。",
  "{} took {} together; the longest, {}, took {} and begins at {}.":
    "{}，共 {}；最长的 {} 耗时 {}，始于 {}。",
  "{} took longer than {}, {} together; the longest took {} and begins at {}.":
    "{}长于 {}，共 {}；最长的用时 {}，始于 {}。",
  "{} took longer than {}; the longest, {}, took {} and begins at {}.":
    "{}长于 {}；最长的 {} 用时 {}，始于 {}。",
  "{} took {} on every available rank, {} of that to move data: above the {} after which a network card sends a packet again.":
    "{} 在所有可见 rank 上用时 {}，其中传输数据 {}：超过网卡重传数据包的时限 {}。",
  "{} took {}, {} times the median of {} of those of its name and size.":
    "{0} 用时 {1}，是同名同大小者中位数 {3} 的 {2} 倍。",
  "{} total": "{} 合计",
  "{} transfers": "{} 传输",
  "{} type": "{} 类",
  "{} types": "{} 类",
  "{} utilization": "{} 利用率",
  "{} value": "{} 个值",
  "{} values": "{} 个值",
  "{} version": "{} 版本",
  "{} waited for a stream, {} for each piece of device work, and took {}.":
    "{}在等待流，平均每个设备任务 {} 次，用时 {}。",
  "{} waiting for launches": "等待下发 {}",
  "{} waiting for the host": "等待主机 {}",
  "{} waits in collectives for {} a step ({} of the step).":
    "{} 每个 Step 在集合通信中等待 {}（Step 的 {}）。",
  "{} was read; 1 of the same kind, {} the last, was not": "已读取 {}；另有 1 个同类文件 {} 没有读取",
  "{} was read; {} of the same kind, {} the last, were not":
    "已读取 {}；另有 {} 个同类文件没有读取，最后一个为 {}",
  "{} with counters": "{}（带计数器）",
  "{} without a recorded cause": "没有记录到原因 {}",
  "{} without sequence number in steps where workers have different numbers of them":
    "{} 个没有序号，且所在 Step 中各工作进程的数目不同",
  "{} worker": "{} 个工作进程",
  "{} workers": "{} 个工作进程",
  "{} written kernel": "{} 个生成的内核",
  "{} written kernels": "{} 个生成的内核",
  "{} x {}": "{} x {}",
  "{} {}": "{} {}",
  "{} {} (computed: {})": "{} {}（计算值：{}）",
  "{} {} had {} allocated at the peak, {} of its memory.": "{} {} 峰值时已分配 {}，占其内存的 {}。",
  "{}, accumulated": "{}，累计",
  "{}, active": "{}，活跃时间",
  "{}, as {} counts": "{}，按 {} 的计数",
  "{}, bytes": "{}，字节数",
  "{}, core {}": "{}，核 {}",
  "{}, cut off by the end": "{}，被采集结束截断",
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
  "{}, with collectives, without copies": "{}，含集合通信，不含拷贝",
  "{}, with {} of the kernel time": "{}，占内核时间的 {}",
  "{}, with {} of {whole}": "{0}，占{2}的 {1}",
  "{}, {}": "{}，{}",
  "{}, {} of the traffic is in {} below {} MB, of {} in all.":
    "{0}，{1} 的流量在小于 {3} MB 的 {2}中，共 {4} 个。",
  "{}, {}, all threads": "{}，{}，所有线程",
  "{}: a row belongs to a kernel that {}; its figures are not shown": "{}：有行所说的内核{}；不显示其数值",
  "{}: everything before it is shown": "{}：显示此前的内容",
  "{}: its members are not steps of collectives; the rest of it was not read":
    "{}：其成员不是集合通信的 Step；其余部分没有读取",
  "{}: members of operators that are not understood: {}": "{}：算子行中无法理解的成员：{}",
  "{}: none of {} has both tags, each followed by a number.":
    "{}：{}中没有一行同时含有两个标签及其后的数字。",
  "{}: rows of operators without a name": "{}：没有名称的算子行",
  "{}: the file states a total time of {} ns; the times of its operators sum to {} ns":
    "{}：文件所述总时间为 {} ns；其各算子的时间之和为 {} ns",
  "{}: there is no column {}; its rows cannot be used": "{}：没有列 {}；其各行无法使用",
  "{}: {}": "{}：{}",
  "{}: {} a step, {} above the median{}": "{}：每个 Step {}，比中位数多 {}{}",
  "{}: {} a step, {} of all waiting; {} later than the rank before it":
    "{}：每个 Step {}，占全部等待的 {}；比前一个晚 {}",
  "{}: {}.": "{}：{}。",
  "{}: {}. The longest stretch lasts {} and begins at {}.": "{}：{}。最长的一段持续 {}，始于 {}。",
  "{}: {}; everything that could be read was read": "{}：{}；可读取的部分已读取",
  "{}; everything before it was read": "{}；之前的内容均已读取",
  "{}; how the recording was set up is not known": "{}；不知道采集的配置",
  "{}; it may still be recording": "{}；它可能仍在采集",
  "{}; it may still be writing": "{}；它可能仍在写入",
  "{}; it waits for other ranks for {}": "{}；其中等待其他 rank {}",
  "{}; other ranks wait for it for {}": "{}；其他 rank 等待它 {}",
  "It waits for other ranks for only {} a step.": "它每个 Step 只等待其他 rank {}。",
  "{}; its data about collectives is missing": "{}；缺少其中关于集合通信的内容",
  "{}; its data about kernels is missing": "{}；缺少其中关于内核的内容",
  "{}; its data about memory is missing": "{}；缺少其中关于内存的内容",
  "{}; its data is missing": "{}；缺少其中的内容",
  "{}; its figures are missing": "{}；缺少其数值",
  "{}; its operators are missing": "{}；缺少其算子",
  "{}; its recording ends by itself, and the file is deleted": "{}；它会自行结束采集，文件随之删除",
  "{}; its sums are missing": "{}；缺少其汇总",
  "{}; the data of the compiled model is missing": "{}；缺少编译后的模型所说的内容",
  "{}; the longest gap with such time lasts {} and begins at {}.":
    "{}；包含此类时间的最长一段持续 {}，始于 {}。",
  "{}; the operators before it were read": "{}；之前的算子均已读取",
  "{}; the recording of process {} stays in {}": "{}；进程 {} 的采集保留在 {}",
  "{}; the sums of operators are missing": "{}；缺少各算子的汇总",
  "{}; the sums of steps and collectives are missing": "{}；缺少各 Step 与集合通信的汇总",
  "{}; the sums of steps are missing": "{}；缺少各 Step 的汇总",
  "{}; there is no timeline": "{}；没有时间线",
  "{}; there is no timeline of the host": "{}；没有主机的时间线",
  "{}; to see it again, run: {}": "{}；要再次查看，请运行：{}",
  "{}; trying again": "{}；再次请求",
  "{}; what it had written is kept": "{}；已写入的内容保留",
  "{}; without a chosen step, the mean over the worker's steps that are not empty":
    "{}；未选 Step 时，取该工作进程非空 Step 的平均",
  "{}; {} continues (Ctrl-C ends it)": "{}；{} 继续运行（Ctrl-C 结束它）",
  "rows are grouped in one table, so name one; view {} has: {}":
    "行只能在一个表中分组，请指定一个；视图 {} 有：{}",
  "table {} has no column '{}' of texts to group by; available: {}":
    "表 {} 没有可用来分组的文本列 '{}'；可用：{}",
  "the file's table of kernels: {}": "文件的内核表：{}",
  "{}={}: {}.": "{}={}：{}。",
  "'{}' changes nothing: no work here has a known cost and takes longer than the device's known peaks allow":
    "“{}”不改变任何东西：这里没有成本已知、且用时超过设备已知峰值所允许时间的任务",
  "'{}' is no change; changes are: {}": "“{}”不是改动；改动有：{}",
  "nothing fits '{}:{}'; those with most device time: {}": "没有与“{}:{}”相符的名称；设备时间最多的有：{}",
  "nothing on the host is named '{}': give the whole name of an operator, a call or another range":
    "主机上没有名为“{}”的范围：请给出算子、调用或其他范围的完整名称",
  "the factor of '{}' must be from 0 to 1000": "“{}”的系数必须在 0 到 1000 之间",
  "{} call waits": "{} 个调用",
  "{} calls wait": "{} 个调用",
  "{} for something that is not recorded: such waits keep their length.":
    "{}在等待没有记录的事物，其时长保持不变。",
  "{} with less device time not shown": "另有 {} 设备时间更少，未显示",
  "{} category": "{} 个类别",
  "{} categories": "{} 个类别",
  "device {} did no work": "设备 {} 没有执行任务",
  "{} run": "{} 次运行",
  "{} runs": "{} 次运行",
  "From run {} on, a step is {} longer: {} instead of {} (p = {}).":
    "自 {} 起，每个 Step 变长 {}：{}，此前为 {}（p = {}）。",
  "From run {} on, a step is {} shorter: {} instead of {} (p = {}).":
    "自 {} 起，每个 Step 变短 {}：{}，此前为 {}（p = {}）。",
  "No change of the steps can be told from chance; the most likely one is at run {}: from {} to {} (p = {}).":
    "Step 的变化无法与偶然区分；最可能的变化在 {}：从 {} 到 {}（p = {}）。",
  "not the list of a capture's files: {}": "不是采集的文件列表：{}",
  "the folder cannot be listed: {}": "无法列出该文件夹：{}",
  "the system has no thread left for a request: {}": "系统没有可用于请求的线程：{}",
  "{} ranks of the job are not in this capture: its figures are partial":
    "作业的 {} 个 rank 不在此次采集中：其数值不完整",
  "{} ranks could not be read, or not completely: see the table problems":
    "{} 个 rank 未能读取或未能完整读取：见表 problems",
  "{} cell": "{} 个格子",
  "{} cells": "{} 个格子",
  "{} kind and size": "{} 种",
  "{} kinds and sizes": "{} 种",
  "{} pair of hosts and size": "{} 种",
  "{} pairs of hosts and sizes": "{} 种",
  "{} process group": "{} 个进程组",
  "{} process groups": "{} 个进程组",
  "no kernel takes less than {}": "没有内核短于 {}",
  "step {}: {} recorded, {} predicted": "Step {}：采集值 {}，预测值 {}",
  "{} recorded, {} predicted": "采集值 {}，预测值 {}",
  "{} with less work not shown": "另有工作较少的 {} 未显示",
  "protocol {} of pickles is not known": "不支持 pickle 协议 {}",
  "the pickle contains the opcode {}, which makes a program run code; it is refused":
    "pickle 含有会使程序运行代码的操作码 {}；已拒绝读取",
  "{}: the history allocates more bytes than its segments hold, so it lacks changes of segments; how much was reserved is unknown":
    "{}：按历史记录分配的字节多于其段所能容纳的，因此缺少段的变化；保留了多少未知",
  "{}: by the history, {} bytes are allocated at the end; by the segments, {} bytes; the totals follow the history":
    "{}：按历史记录，结束时已分配 {} 字节；按段计为 {} 字节；总量以历史记录为准",
  "{}: releases of blocks that were allocated before the history: {}, of {} entries. The allocator keeps only the last entries, so earlier ones may be missing":
    "{}：释放了历史记录之前分配的块：{} 次，共 {} 个条目。分配器只保留最后的条目，更早的可能缺失",
  "{} of the collectives that end together are matched with another rank; {} are needed":
    "与其他 rank 匹配的、同时结束的集合通信只有 {} 个；需要 {} 个",
  "the ends of {} matched collectives differ by {} (interquartile range), more than the limit of {}":
    "{} 个匹配的集合通信的结束时刻相差 {}（四分位距），超过限度 {}",
  "worker {} is not read": "工作进程 {} 尚未读取",
  "tables that have rows and are not read: {}": "有行但未读取的表：{}",
  "the profiler reports: {}": "性能分析器报告：{}",
  "{}; everything before that was read": "{}；此前的内容均已读取",
  "{}; its rows before the damage were read": "{}；损坏之前的行均已读取",
  "a window has at most {} pixels": "一个窗口最多有 {} 个像素",
  "data of other kinds than tracks and devices was not read: {}": "轨道与设备之外的数据未读取：{}",
  "{}: its times name no zone, and several fit; they were read as {}":
    "{}：其时间没有时区，且有多个时区符合；按 {} 读取",
  "{}: its times name no zone; they were read as {}, at which the log covers the recording":
    "{}：其时间没有时区；按 {} 读取，此时日志覆盖本次采集",
  "{}: lines without a time or a device were skipped": "{}：跳过了没有时间或设备的行",
  "{}: the log does not cover the recording": "{}：日志没有覆盖本次采集",
  "{}: the profile has no date, so the log's samples have no place in it; they are not shown":
    "{}：该分析没有日期，因此日志的采样无法定位；不显示",
  "{}: {} of {} measured kernels are joined to kernels of the trace by name, launch size and order; {} have a name that the trace lacks, {} have no kernel left":
    "{}：{} / {} 个测量的内核按名称、启动尺寸与次序对应到跟踪中的内核；{} 个的名称不在跟踪中，{} 个没有剩余的内核",
  "{}: lines with more or fewer cells than the header were skipped": "{}：跳过了单元格数与表头不同的行",
  "In each of these process groups, a rank is missing that waits in another of them: {}.":
    "在这些通信组的每一个中，都缺少一个在其中另一组里等待的 rank：{}。",
  "In the process group {}, all ranks with a file called {}, number {}, alike.":
    "在通信组 {} 中，所有有文件的 rank 都一致地调用了 {}（编号 {}）。",
  "In the process group {}, {} never called {}, number {}.": "在通信组 {} 中，{} 从未调用 {}（编号 {}）。",
  "It has not ended on {}.": "它尚未在 {} 上结束。",
  "Number {} of the process group {}: {} of {} is {}, and of {} it is {}.":
    "通信组 {1} 的编号 {0}：{3} 的{2}是 {4}，而 {5} 的是 {6}。",
  "The ranks of {} are left out, except those with a file: all groups together have too many ranks.":
    "{} 的 rank 未计入（有文件的除外）：所有通信组的 rank 合计过多。",
  "Where it is (rank {}): {}.": "其位置（rank {}）：{}。",
  "after {}, its last call": "在其最后一次调用 {} 之后",
  "after {}, its last call, {} before the last time of all files":
    "在其最后一次调用 {} 之后，距所有文件中最后的时刻 {}",
  "rank {}": "rank {}",
  "ranks {}": "rank {}",
  "waits in {}, number {} of {}": "在 {2} 的 {0}（编号 {1}）中等待",
  "{} is a second file of its rank; it was not read": "{} 是同一 rank 的第二个文件；没有读取",
  "{} of {} ranks have a file here: how far the others are is not known, and a rank without a file may be the cause.":
    "此处有 {1} 个 rank 中 {0} 个的文件：其余 rank 的进度未知，没有文件的 rank 可能就是原因。",
  "{}: {}; what is before it was read": "{}：{}；其前的内容已读取",
  "{}; its rank is missing": "{}；缺少其 rank",
  "{}: its members are not steps of groups of ranks; the rest of it was not read":
    "{}：其成员不是各组 rank 的 Step；其余部分没有读取",
  "Fragmentation: {} that the allocator held were not allocated, more than the request, but in no free block that is large enough and of the right stream and pool.":
    "碎片化：分配器持有的 {} 没有分配，多于请求，但没有足够大且流和池相符的空闲块。",
  "Too much was allocated: the allocator held {} that were not allocated, less than the request.":
    "分配过多：分配器持有的未分配内存为 {}，少于请求。",
  "Left out: blocks of {}, the smallest.": "已略去：{}（最小的）的块。",
  "There are no segments for requests of this size: the allocator would reserve {} from the device.":
    "没有服务这一大小的请求的段：分配器会向设备保留 {}。",
  "{} segment": "{} 个段",
  "{} segments": "{} 个段",
  "The blocks that the file lists do not add up to the segments: {} are missing or too many.":
    "文件列出的块之和与段不符：相差 {}。",
  "The {} frames that hold most are drawn.": "只绘制占用最多的 {} 个栈帧。",
  "{} of {} curves are drawn: those with most points.": "共 {1} 条曲线，绘制其中点数最多的 {0} 条。",
  "no segments of a device '{}'; there are some of: {}": "设备“{}”没有段；有段的设备：{}",
  "fit: '{}' is no size: write 4096, 200MiB or 1.5GiB": "fit：“{}”不是大小：请写 4096、200MiB 或 1.5GiB",
  "failure: there is no failure {}; there are {}": "failure：没有第 {} 个失败；共 {} 个",
  "step {}: {} pieces of device work, repeated {} times": "Step {}：{} 个设备任务，重复 {} 次",
  "Left out: {}, whose clocks cannot be compared.": "已略去：{}，其时钟无法比较。",
  "'{}' needs a rank: rank:N as-median": "“{}”需要指明 rank：rank:N as-median",
  "Collectives bound the steps: they are {} of the critical path.":
    "Step 受限于集合通信：它们占关键路径的 {}。",
  "Device work bounds the steps: it is {} of the critical path, so a faster host wins little.":
    "Step 受限于设备任务：它们占关键路径的 {}，因此主机更快收益甚微。",
  "If no rank waited for another (no-waiting), a step would be at most {} shorter.":
    "假如 rank 之间互不等待（no-waiting），Step 至多缩短 {}。",
  "Of the broad changes, {}.": "整体性的改动中，{}。",
  "The host bounds the steps: {} of the critical path is its code and its calls, so faster device work wins little.":
    "Step 受限于主机：其代码与调用占关键路径的 {}，因此设备任务更快收益甚微。",
  "The runs are in the order of their names: {}.": "各次运行按名称排列：{}。",
  "These changes gain nothing: the host bounds the steps. {} of the critical path is host code and calls, and none of these calls waits for this device work. A wait that the recording does not show counts as code of the host.":
    "这些改动没有收益，因为 Step 受限于主机：其代码与调用占关键路径的 {}，且其中没有调用等待这些设备任务。记录中未显示的等待算作主机代码。",
  "no rank '{}' here; ranks with comparable clocks: {}": "此处没有 rank“{}”；时钟可比的 rank 有：{}",
  "no step {} on all ranks; their steps are {}": "并非所有 rank 都有 Step {}；共有的 Step 为 {}",
  "the clocks of the ranks cannot be compared, so the last rank of a collective is unknown: {}":
    "各 rank 的时钟不可比较，因此不知道哪个 rank 最后到达集合通信：{}",
  "this view needs all {} workers of the span at the same time, and {} of them take more than half of --memory":
    "此视图同时需要该时段的全部 {} 个工作进程，而其中 {} 个已占用 --memory 的一半以上",
  "{} collective is": "{} 个集合通信",
  "{} collectives are": "{} 个集合通信",
  "{} does not say when it was recorded": "{} 没有说明采集时间",
  "{} is left out, because its clock cannot be compared with the others: {}":
    "{} 未计入，因为其时钟与其他 rank 不可比较：{}",
  "{} not joined, because they end on a rank before the last rank comes to them, or contradict the order of others. They keep their length.":
    "{}未接入，因为它们在最后一个 rank 到达之前就在某个 rank 上结束，或与其他集合通信的次序矛盾。其时长保持不变。",
  "{} left out that would gain less than 0.05% of the step": "{}未列出：其收益不到 Step 的 0.05%",
  "{} not joined: {}. They keep their length.": "{}未接入：{}。其时长保持不变。",
  "{} row is": "{} 行",
  "{} rows are": "{} 行",
  "{} of the {} runs are not read yet and are missing here.": "{1} 次运行中有 {0} 次尚未读取，此处缺少它们。",
  "{} wins {}": "{} 收益 {}",
  "{} with ranks that were not recorded: waiting for them counts as transfer and keeps its length.":
    "{}涉及不在此处的 rank：对它们的等待算作传输，其时长保持不变。",
  "{}, steps {} to {}": "{}，Step {} 至 {}",
  "Micro-batches of pipeline {} are unknown in step {}: {}.": "流水线 {} 的 Step {} 的微批次数未知：{}。",
  "{}, the whole recording": "{}，整个采集",
  "The step of median length has {} pieces of device work; a repeated sequence is searched for in at most {}.":
    "长度居中的 Step 有 {} 个设备任务；只在不超过 {} 个任务中搜索重复的序列。",
  "the {} ranks that the changes move most, of {}": "改动影响最大的 {0} 个 rank，共 {1} 个",
  "without run {}, which could not be read: {}": "不含运行 {}，因为无法读取：{}",
  "In step {}.": "在 Step {} 中。",
  "The graph has the {} nearest operators, those of the most time first; {} more are as near. Choose a smaller distance to see all of them.":
    "图中有最近的 {} 个算子，耗时最多的在前；另有 {} 个同样近。选择更小的距离可看到全部。",
  "around {}": "{} 周围",
  "around: {} is negative": "around：{} 为负",
  "no program {} with a graph in this profile": "此采集中没有带图的程序 {}",
  "no operator {} in the graph of a program": "程序图中没有算子 {}",
  "no operator {} in the graph of program {}": "程序 {1} 的图中没有算子 {0}",
  "the lake has a profile file of this rank that cannot be used, so its trace was read: {}":
    "数据湖中该 rank 的 profile 文件无法使用，因此读取了其 trace：{}",
  "{}; its profile file in the lake cannot be used: {}": "{}；数据湖中它的 profile 文件也无法使用：{}",
  "at most {} logs are compared": "最多比较 {} 份日志",
} satisfies Record<TemplateSaid, string>;
