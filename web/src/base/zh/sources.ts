// Docs of metrics: their sources, and how they differ from the profiler plugins that Sightline replaces.
import type { ProgramWords } from "../translate";

export const sources: ProgramWords = {
  "allocated before recording: its allocation was not recorded. temporary: released before the end of the outermost operator call that allocated it. optimizer state: allocated in an optimizer range, and released outside of one, after its step, or never; else temporary. gradient: allocated in the backward pass, and live when an optimizer range begins, live at the end of its step, or never released; else temporary. activation: allocated elsewhere, and released in the backward pass; or allocated in a module and released after the operator's call. unknown: all else, and all blocks of recordings without addresses. Ranges of the backward pass are recognised by their names. Where allocations have stacks, frames take the place of ranges; then all else of the forward pass is activation, and parameter, communication and input are what was allocated while modules are set up, in collectives, and while data is loaded.":
    "采集前已分配：没有记录到其分配。临时：在分配它的最外层算子调用结束之前释放。优化器状态：在优化器范围内分配，并在其外、在其 Step 之后释放或从不释放；否则为临时。梯度：在反向中分配，且在优化器范围开始时、其 Step 结束时仍在或一直存在；否则为临时。激活：在其他位置分配，并在反向中释放；或在模块内分配，并在算子调用之后释放。未知：其余情况，以及没有地址的采集中的所有内存块。反向的范围按名称识别。分配有调用栈时，以栈帧代替范围；此时前向中的其余内存为激活，而参数、通信和输入数据是在建立模块、集合通信和加载数据时分配的。",
  "as device self; a sum over streams, so it can exceed the elapsed time":
    "同“设备自身”；对各流求和，因此可能超过经过的时间",
  "as device self": "同“设备自身”",
  "as host self": "同“主机自身”",
  steps: "Step",
  "as device total": "同“设备总计”",
  "as device total or host total": "同“设备总计”或“主机总计”",
  "as host total": "同“主机总计”",
  "as size": "同“大小”",
  "as total": "同“总计”",
  "both profiles": "两份性能数据",
  "the buffer assignment that the compiler stored with the program": "编译器随程序保存的内存分配方案",
  "bytes of the allocator's events; the operator is the innermost range open on the event's thread then":
    "分配器事件的字节数；算子取当时事件所在线程上最内层的范围",
  "bytes, start and duration of copies and fills": "拷贝与填充的字节数、开始与时长",
  "collectives matched across workers by process group, kind and sequence number, or by their order in the step where none was recorded":
    "各工作进程的集合通信按通信组、种类与序号匹配；没有记录序号时按其在 Step 中的次序",
  "collectives on the device; for a process group without any, the host ranges that represent them":
    "属于集合通信的设备任务；通信组在设备上没有任务时，取代表它的主机范围",
  "duration of its ranges": "其各范围的时长",
  "duration of operator ranges": "算子范围的时长",
  "durations of device work; attributed by linked id, else by the range open when the launching call began":
    "设备任务的时长；按关联 id 归属，没有时归属到下发调用开始时所处的范围",
  "each instant of a step counts once, for the first of these that is active on any thread, stream or device: kernel, memcpy, memset, communication, runtime, data loading, host, other":
    "Step 的每一时刻只计一次，归入任一线程、流或设备上处于活动的第一类，次序为：内核、内存拷贝、内存填充、通信、运行时、数据加载、主机、其他",
  "est. achieved occupancy of each kernel": "各内核的实际占用率（估计）",
  "forward-backward links of the profile; start and duration of backward operators":
    "性能数据中前向与反向的关联；反向算子的开始与时长",
  "host ranges of the steps, device work launched in them; a step begins when its host range begins, or when the step before it ends if that is later, and ends when both its host range and its device work have ended":
    "各 Step 的主机范围与其中下发的设备任务；Step 从其在主机上的开始处算起，若前一个结束得更晚则从那时算起，到其主机范围与设备任务都结束为止",
  "its own samples.": "其自身的采样。",
  "kernel events of all streams and devices": "所有流与设备的内核事件",
  "kernels of all streams, collectives included; copies do not count": "所有流的内核，包含集合通信；不含拷贝",
  "kinds and times of slices": "切片的种类与时间",
  "lengths of unions of intervals, clipped to the step's window": "区间并集的长度，截取到 Step 的窗口内",
  "memory events": "内存事件",
  "module calls, or named ranges": "模块调用，或命名范围",
  "operator names": "算子名称",
  "operator names; core type of kernels": "算子名称；内核的核类型",
  "operator ranges of the host threads": "主机线程的算子范围",
  "ranges of the host threads": "主机线程的范围",
  "row of slices": "切片的行号",
  "row of slices; on ties, the first": "切片的行号；并列时取第一个",
  slices: "切片",
  "start and duration of device work": "设备任务的开始与时长",
  "start and duration of host ranges and device work": "主机范围与设备任务的开始与时长",
  "start and duration of the kernels of all streams, without copies": "所有流的内核的开始与时长，不含拷贝",
  "start and duration of ranges": "范围的开始与时长",
  "start and duration of ranges and calls": "范围与调用的开始与时长",
  "start and duration of ranges and calls of its thread": "其线程的范围与调用的开始与时长",
  "start and duration of slices, clipped to the range": "切片的开始与时长，截取到范围内",
  "start and duration of slices.": "切片的开始与时长。",
  "start and duration of steps, host ranges and device work; steps that the end of the recording cut off are left out":
    "Step、主机范围与设备任务的开始与时长；被采集结束截断的 Step 不计入",
  "start of launching calls and of the work they launched": "下发调用及其所下发任务的开始",
  "start to end of the kernel on the device": "内核在设备上从开始到结束",
  "start to end of the kernel on the device; by the range that launched it":
    "内核在设备上从开始到结束；按下发它的范围",
  "step windows": "Step 的窗口",
  "steps, operators, launching calls, device work": "Step、算子、下发调用、设备任务",
  "the allocator's events": "分配器的事件",
  "the allocator's events; blocks whose allocation was recorded, or whose release shows that they were there":
    "分配器的事件；记录了分配的内存块，或由其释放得知存在的内存块",
  "the allocator's totals after each event; they hold until the next":
    "每个事件之后分配器的总量；保持到下一个事件",
  "the collective's arguments": "集合通信的参数",
  "the collective's arguments, else the inputs of the host range that launched it":
    "集合通信的参数，没有时取下发它的主机范围的输入",
  "the profiler": "采集工具",
  "the profiler, per kernel; computed where it states no value": "采集工具，逐内核；未说明时计算得出",
  "the profiler, per kernel; computed where it states no value, or a false 0":
    "采集工具，逐内核；未说明或误为 0 时计算得出",
  "the profiler; else the launch and the properties of the device": "采集工具；否则为启动参数与设备属性",
  "the profiler; else the launch and the properties of the device, see the formats' page":
    "采集工具；否则为启动参数与设备属性，见格式说明页",
  "counters that the profiler read for each range": "采集工具为每个区间读取的计数器",
  "fills of device memory, one by one": "设备内存填充，逐个",
  "the step breakdown": "Step 时间拆解",
  "the table's own columns": "该表自身的各列",
  "totals that the allocator's events carry": "分配器事件所带的总量",
  "device work of all streams of a device that begins in the step's range on the device: from the start of the first work launched in the step to the end of the last, or to the end of the step on the host if that is later":
    "设备所有流上、在 Step 于该设备的范围内开始的设备任务：范围从 Step 中下发的第一个任务，到最后一个结束，若 Step 在主机上结束得更晚则到那时",
  "The step time breakdown counts copies before communication, and ends a step where its work ends.":
    "Step 时间拆解先计拷贝再计通信，并在 Step 的任务结束处结束该 Step。",
  "blocks per multiprocessor of each kernel; those without a value count as 0":
    "各内核的每多处理器线程块数；没有值的按 0 计",
  "blocks per multiprocessor that the profiler reports for each kernel":
    "每多处理器线程块数，由采集工具写在内核上",
  "core type of kernels, by name or as the file states it": "内核的核类型，按名称或文件所述",
  "core of each kernel, as the file states it": "各内核的核，按文件所述",
  "the file's table of kernels": "文件的内核表",
  "steps, launching calls": "Step、下发调用",
  "the kernel's event": "内核的事件",
  "the file's own sums by type and core": "文件自身按类型与核的汇总",
  "runtime and driver calls of the host threads": "主机线程的运行时与驱动调用",
  "Sums are exact; the TensorBoard plugin adds floating-point microseconds.":
    "汇总是精确的；TensorBoard 插件的汇总为浮点微秒。",
  "lines of the log that have both tags": "日志中两个标签都有的行",
  "lines of the log": "日志的行",
  "iterations that both logs have with a number": "两份日志都有数值的迭代",

  "Calls without a value are left out, and a false 0 of the file is recomputed; the TensorBoard plugin counts both as 0.":
    "没有值的调用不计入，文件中错误的 0 重新计算；TensorBoard 插件两者都按 0 计。",
  "Collectives are recognised by their kernels, for every library; the TensorBoard plugin uses host ranges of ten names.":
    "集合通信由其内核识别，适用于各种通信库；TensorBoard 插件只取十个名称的主机范围。",
  "Includes work that annotations inside the operator launched; the TensorBoard plugin loses it.":
    "包含算子内部的标注所下发的任务；TensorBoard 插件会丢失。",
  "Includes work that annotations launched, or that carries no id; the TensorBoard plugin loses it or gives it to others.":
    "包含标注下发的或没有 id 的任务；TensorBoard 插件会丢失或归给其他项。",
  "Knows the names of newer kernels; unknown where names do not say.":
    "识别较新内核的名称；名称无法判断时为未知。",
  "Not in the TensorBoard plugin's table.": "TensorBoard 插件的表中没有。",
  "Not in the TensorBoard plugin.": "TensorBoard 插件中没有。",
  "Over all kernels; kernels whose name does not say are a separate part.":
    "对所有内核统计；名称无法判断的内核单独成为一部分。",
  "The TensorBoard plugin attributes nothing without a linked id and ignores driver launches.":
    "TensorBoard 插件不归属没有关联 id 的任务，并忽略经驱动的下发。",
  "The TensorBoard plugin counts modules inside one of its operators as its own.":
    "TensorBoard 插件把位于其算子内部的模块计为其自有。",
  "The TensorBoard plugin does not look inside ranges without events, so its count can be too low.":
    "TensorBoard 插件不查看没有事件的范围的内部，因此计数可能偏低。",
  "The TensorBoard plugin matches addresses across devices, and shows no end outside of the selected range.":
    "TensorBoard 插件跨设备匹配地址，且不显示所选范围之外的结束时刻。",
  "The TensorBoard plugin matches collectives by position, either all or none, and treats a worker without counterparts as never waiting.":
    "TensorBoard 插件按位置匹配，要么全部要么全无，并把独自存在的工作进程计为从不等待。",
  "The TensorBoard plugin shows device time where there is any and host time elsewhere in one chart, and compares the first thread only.":
    "TensorBoard 插件在同一张图中有设备时间处显示设备时间、其余显示主机时间，且只比较第一个线程。",
  "The TensorBoard plugin shows rounding errors of its sums as efficiency above 0.":
    "TensorBoard 插件会把浮点求和的残差显示为大于 0 的效率。",
  "The TensorBoard plugin shows the backward pass in its tree only.": "TensorBoard 插件只在其树中显示反向。",
  "The TensorBoard plugin subtracts all calls without an id from the first module.":
    "TensorBoard 插件把所有没有 id 的调用都从第一个模块中减去。",
  "The TensorBoard plugin subtracts calls made inside a child, or on another thread, that carry its id.":
    "TensorBoard 插件会减去在子范围内或其他线程上发起、但带有其 id 的调用。",
  "The TensorBoard plugin takes the union of their host ranges.": "TensorBoard 插件取其主机范围的并集。",
  "Unknown where the baseline is 0; the TensorBoard plugin writes infinity.":
    "基准为 0 时为未知；TensorBoard 插件写为无穷大。",
  "Unknown, not 0, when there is no device self time or a kernel's name does not say; knows more kernels' names than the TensorBoard plugin.":
    "没有设备自身时间或内核名称无从判断时为未知而非 0；识别的内核名称多于 TensorBoard 插件。",
  "Unknown, not 0, when there is no device time or a kernel's name does not say; knows more kernels' names than the TensorBoard plugin.":
    "没有设备时间或内核名称无从判断时为未知而非 0；识别的内核名称多于 TensorBoard 插件。",
  "The Ascend edition of the plugin divides by the signed base, and shows 0 where it is 0.":
    "插件的 Ascend 版除以带符号的基准值，且在其为 0 时显示 0。",
};
