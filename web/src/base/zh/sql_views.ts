// Texts of the views written in SQL (src/sql/views/*.sql), and of SQL files in general.
import type { ProgramWords } from "../translate";

export const sqlViews: ProgramWords = {
  "no device activity was recorded": "没有记录设备活动",
  "no kernel with its launch was recorded": "没有记录内核及其启动调用",
  "no copy or fill of device memory was recorded": "没有记录设备内存的拷贝或填充",
  "the file reports no totals of calls": "文件没有给出调用的合计",

  // step_metrics
  "Step metrics": "Step 指标",
  "Figures that the job logged for its steps, such as its loss, from logs beside the file.":
    "作业为各 Step 记录的数值（如损失），来自文件旁的日志。",
  "Also figures that were logged outside the recorded steps": "也包括在已采集的 Step 之外记录的数值",
  "no event file of TensorBoard and no metric of MLflow lies beside the file":
    "文件旁没有 TensorBoard 的事件文件，也没有 MLflow 的指标",
  "No figure matches.": "没有匹配的数值。",
  "Value by step.": "各 Step 的值。",
  Curve: "曲线",
  "The figure; with its log, if several logs have it": "数值名；如果多个日志都有，则附日志名",
  "Number of the step, as logged.": "Step 的编号，按日志。",
  Figure: "数值名",
  "Name, as logged": "名称，按日志",
  "Value, as logged.": "值，按日志。",
  "it is not a finite number": "它不是有限的数",
  "Logged at": "记录时间",
  "When it was logged, since the run's origin.": "记录的时间，自运行的原点起。",
  "the log or the profile has no date": "日志或性能数据没有日期",
  "Recorded step": "已采集的 Step",
  "Number of the recorded step that it belongs to.": "它所属的已采集 Step 的编号。",
  "it belongs to none": "它不属于任何一个",
  Log: "日志",
  "File or folder of the log": "日志的文件或文件夹",
  "Step on the timeline": "时间线上的 Step",
  "Row in slices of the recorded step": "已采集的 Step 在切片表中的行号",

  // gaps
  Gaps: "空隙",
  Gap: "空隙",
  "Periods in which a stream or engine of a device was idle between two work items.":
    "设备的流或引擎在两项工作之间没有运行任何工作的时间。",
  "Shortest gap, ns": "最短空隙（ns）",
  "Shorter gaps are left out": "略去更短的空隙",
  "There is no gap of this length.": "没有这么长的空隙。",
  "Stream or engine, as named in the file": "流或引擎，按文件中的名称",
  "From the end of all earlier work to the start of the next.": "从此前所有工作结束到下一项工作开始。",
  "Start of the gap, since the run's origin": "空隙开始的时间，自运行的原点起",
  "Work before": "之前的工作",
  "Work after": "之后的工作",
  "The last work that started before the gap": "空隙之前最后开始的工作",
  "The first work that started after the gap": "空隙之后最先开始的工作",
  "Work after on the timeline": "时间线上之后的工作",
  "Row in slices of the work after the gap": "空隙之后的工作在切片表中的行号",
  "On the timeline": "在时间线上",

  // stream_waits
  "Waits by stream": "各流的等待",
  "What each stream waited for between two work items, in the three categories of Holistic Trace Analysis.":
    "每条流在两项工作之间等待的是什么，按 Holistic Trace Analysis 的三个类别划分。",
  "Short wait, ns": "短等待（ns）",
  "A shorter wait for queued work counts as the time between two kernels":
    "对已排队工作的更短等待计为两个内核之间的时间",
  "No stream waited.": "没有流等待。",
  "Waited for": "等待",
  "host: the work was launched after the work before it had ended; kernel: it was launched before, and the wait is short; other: the rest":
    "主机：该工作在前一项工作结束之后才启动；内核：在此之前已启动，且等待很短；其他：其余",
  "Number of gaps between two work items": "两项工作之间的空隙数",
  "Sum of the gaps; work that overlaps the one before it has none.": "空隙之和；与前一项重叠的工作没有空隙。",

  // launch_delays
  "Launch delays": "启动延迟",
  "How long kernels waited from their launch to their start.": "内核从启动它的调用到开始运行等待了多久。",
  "Part of the kernel's name, in any letter case": "内核名称的一部分，不分大小写",
  "Number of kernels whose launch is known": "该名称中已知启动调用的内核数",
  "Mean delay": "平均延迟",
  "Average time from the start of the launching call to the start of the kernel.":
    "从启动它的调用开始到内核开始。",
  "Median delay": "延迟中位数",
  "Half of the kernels waited at most this long.": "其中一半的等待不超过此值。",
  "Longest delay": "最长延迟",
  "The longest delay of one kernel": "其中最长者",
  "Row in slices of the kernel that waited longest": "等待最久的内核在切片表中的行号",

  // copies
  "How much data copies and fills of device memory moved, and how fast.":
    "设备内存的拷贝与填充搬运了多少数据，速度如何。",
  "Time in copies": "拷贝时间",
  Copy: "拷贝",
  "Direction and kind, as named in the file": "方向与种类，按文件中的名称",
  "Number of copies and fills": "共有多少次",
  "Sum of their sizes": "搬运的总量",
  "the size of at least one copy is unknown": "文件没有说明其中某次搬运了多少",
  "Sum of their durations": "其时长之和",
  "Mean size": "平均大小",
  "Average of the known sizes": "已知大小者的平均大小",
  "no size is known": "文件没有给出大小",
  "Bytes / time, over copies of known size": "已知大小者的字节数 / 时间",

  // reported_sums
  "Reported sums": "文件自带的合计",
  "Totals per call that the file itself reports.": "文件自身给出的调用合计，原样列出。",
  "Part of the name, in any letter case": "名称的一部分，不分大小写",
  "Layer of software or kind of core, as named in the file": "软件层或核心种类，按文件中的名称",
  "Total time of these calls, as reported in the file": "所有调用的总时间，按文件给出",
  "No sum matches.": "没有匹配的合计。",

  // Network transfers.
  "Network transfers": "网络传输",
  "Transfers of devices over the network of the hosts: how much time the program left for them, and how long it waited.":
    "设备经由主机网络的传输：程序为其留出了多少时间，又等待了多久。",
  "no operator of a program sends or receives over the network of the hosts":
    "没有程序的算子经由主机网络发送或接收",
  "Part of the transfer's name, in any letter case": "传输名称的一部分，不区分大小写",
  "No transfer matches.": "没有匹配的传输。",
  Transfer: "传输",
  "Name of the transfer in the program": "传输在程序中的名称",
  "Kind of transfer, as the file names it": "传输类型，采用文件中的名称",
  "the program does not state it": "程序未给出",
  "Transfers that were begun and ended in the recording": "在录制内开始并结束的传输数",
  Slack: "余量",
  "Average time that the program did other work: from the start of the send to the start of the wait for the received data, without the operators of transfers in between. A transfer that takes no longer is hidden.":
    "程序做其他工作的平均时间：从发送开始到开始等待接收数据，扣除其间传输算子的时间。不超过此时间的传输会被隐藏。",
  "Average time from the start of the send to the end of the wait for the received data.":
    "从发送开始到等待接收数据结束的平均时间。",
  Stall: "停顿",
  "Average time in the operators of the transfer: send, receive, and the waits for both.":
    "该传输的算子所用的平均时间：发送、接收以及对两者的等待。",
  "Total stall": "总停顿",
  "Sum of the stalls": "停顿之和",
  "Average bytes that cross the network for the device, by the kind of transfer and the size of its group.":
    "该设备经由网络传输的平均字节数，由传输类型与组的大小得出。",
  "the kind of transfer or the size of its group is not known": "传输类型或组的大小未知",
  "Required bandwidth": "所需带宽",
  "Bytes / slack: at this rate the transfer would be hidden.": "字节数 / 余量：达到此速率时传输会被隐藏。",
  "its bytes are not known, or there is no slack": "其字节数未知，或没有余量",
  "Devices that exchange the data; 1: from one device to another":
    "交换数据的设备数；1：从一个设备到另一个设备",
  "Operator that begins to send": "开始发送的算子",
  "Operator that waits for the received data": "等待接收数据的算子",
  "Longest stall on the timeline": "时间线上最长的停顿",
  "Row in slices of the wait of the transfer with the longest stall": "停顿最长的传输的等待在 slices 中的行",
};
