// Causes of idle time.
import type { ProgramWords } from "../translate";

export const idle: ProgramWords = {
  // View, panels, tables.
  "Idle time": "空闲时间",
  "Idle per step": "每个 Step 的空闲时间",
  "Longest gap": "最长间隙",
  "By cause": "按原因",
  "By what caused it": "按造成者",
  "Gaps by length": "按长度划分的间隙",
  "Idle time by cause": "按原因划分的空闲时间",
  "Idle time by what caused it": "按造成者划分的空闲时间",
  "Share of gaps": "占间隙的比例",
  "Per step": "每个 Step",
  Meaning: "含义",
  // Causes.
  "Graph that was not recorded": "未记录的图",
  "No launch recorded": "未记录启动",
  "Inside a graph": "图内部",
  "Waiting for an event": "等待事件",
  "Between queued work": "排队任务之间",
  "Launch latency": "启动延迟",
  "Other runtime call": "其他运行时调用",
  "Annotated code": "标注的代码",
  "Outside of recorded code": "记录的代码之外",
  "The profiler itself worked on the host. Without it, the gap would be shorter.":
    "分析器自身在主机上工作。没有它，间隙会更短。",
  "A graph was launched, and what it ran is not recorded. The device may have been busy.":
    "启动了图，但其运行的内容没有记录。设备可能在忙。",
  "The recording does not contain the call that launched the next work.": "采集中没有启动下一个任务的调用。",
  "Between two pieces of work of one launch of a graph.": "在图的同一次启动的两个任务之间。",
  "The next work was launched, and its stream waited for an event.": "下一个任务已启动，而其流在等待事件。",
  "The next work was launched before the gap began: the device takes this long from one to the next.":
    "下一个任务在间隙开始之前已启动：设备从一个任务到下一个任务需要这么久。",
  "The launching call has returned, and the work has not yet started.": "启动调用已返回，而任务尚未开始。",
  "The host was in the call that launched the next work.": "主机处于启动下一个任务的调用中。",
  "The host waited for the device in a call, and launched the next work only afterwards.":
    "主机在调用中等待设备，之后才启动下一个任务。",
  "The host was in another call of the runtime before it launched the next work.":
    "主机在启动下一个任务之前处于运行时的其他调用中。",
  "The host fetched the next batch before it launched the next work.":
    "主机在启动下一个任务之前获取下一批数据。",
  "The host was in an optimizer step before it launched the next work.":
    "主机在启动下一个任务之前处于优化器步骤中。",
  "The host was in an operator, and in no call of the runtime, before it launched the next work.":
    "主机在启动下一个任务之前处于算子中，而不在运行时调用中。",
  "The host was in a range that the user named, and in no operator, before it launched the next work.":
    "主机在启动下一个任务之前处于用户命名的范围中，而不在算子中。",
  "The host was in a Python function, and in no operator, before it launched the next work.":
    "主机在启动下一个任务之前处于 Python 函数中，而不在算子中。",
  "The host was in no recorded range before it launched the next work.":
    "主机在启动下一个任务之前不在任何记录的范围中。",
  // Docs.
  "device work, the calls that launched it, and the ranges of the launching thread":
    "设备任务、启动它的调用，以及启动线程的范围",
  "Gaps with such a part.": "含有这一部分的间隙。",
  "number of gaps": "间隙的个数",
  "Idle time with this cause.": "由此原因造成的空闲时间。",
  "sum of the parts of gaps": "间隙各部分之和",
  "Share of the time of all gaps in scope.": "占范围内全部间隙时间的比例。",
  "time / sum of gaps": "时间 / 间隙之和",
  "How much shorter the step would be, at most, if the device never waited for this.":
    "若设备不因此等待，Step 最多缩短的比例。",
  "time / (length of the steps * devices)": "时间 / (Step 的总长 * 设备数)",
  "Mean of a step and a device.": "每个 Step、每个设备的平均值。",
  "time / (steps * devices)": "时间 / (Step 数 * 设备数)",
  "Longest part of a gap.": "间隙中最长的部分。",
  "largest length": "最大长度",
  "Start and end of the longest part": "最长部分的开始和结束",
  "Start and end of what the timeline shows around it": "时间线所显示的前后范围",
  "Why the device was idle": "设备为何空闲",
  "What the cause means": "该原因的含义",
  "The call, range or work that the device waited for": "设备所等待的调用、范围或任务",
  "no range was recorded": "没有记录范围",
  "The innermost operator around it": "包含它的最内层算子",
  "in no operator": "不在算子中",
  "The innermost Python function around it: of the program's own files, else of a library, else built in":
    "包含它的最内层 Python 函数：优先取程序自身文件中的，其次是库中的，最后是内置的",
  "no Python functions were recorded": "没有记录 Python 函数",
  "How long a gap is; the end of a range is not part of it": "间隙的长度；范围不含其终点",
  "Time of a step in which nothing ran on a device: no kernel, copy, fill or collective. Mean over steps and devices.":
    "Step 中设备上没有任何任务运行的时间：没有内核、拷贝、填充或集合通信。对 Step 和设备取平均。",
  "idle time / (steps * devices)": "空闲时间 / (Step 数 * 设备数)",
  "Idle share of the steps.": "空闲占 Step 的比例。",
  "idle time / (length of the steps * devices)": "空闲时间 / (Step 的总长 * 设备数)",
  "All gaps in scope, without the figure Not known. The causes below sum exactly to the two together.":
    "范围内的全部间隙，不含未知部分。下列各原因之和恰好等于二者之和。",
  "sum of gaps - not known": "间隙之和 - 未知部分",
  "Gaps in which the device may have done work that is not recorded.": "设备可能执行了未记录任务的间隙。",
  "Work before the recording": "采集开始前的任务",
  "The next work was launched long before it began, and no work before it is recorded. The device may have been busy with what was launched before the recording.":
    "下一任务早在开始之前就已下发，而在它之前没有记录任何任务。设备可能忙于采集开始前下发的任务。",
  "Stretches in which nothing is recorded on a device.": "设备上没有任何记录的时段。",
  "The longest of them.": "其中最长的一个。",
  "The device was never idle.": "设备从未空闲。",
  "Why the devices were idle: the cause of each gap, and the call or code that caused it.":
    "设备为何空闲：每个间隙的原因，以及造成它的调用或代码。",
  "What the steps waited for": "Step 在等待什么",
  "Time of gaps by length and cause": "按长度与原因划分的间隙时间",
  "Time of this cause in gaps that are this long.": "此原因在这一长度的间隙中的时间。",
  "Idle causes": "空闲原因",
  "Only the device of this number": "仅此编号的设备",
  Longest: "最长",
  "By operator": "按算子",
  "Share of the step": "占 Step 的比例",
  "Launching call": "下发调用",
  Window: "窗口",
  What: "内容",
  Profiler: "性能分析器",
  "sum of durations": "时长之和",
  "device work": "设备任务",
  "number of calls": "调用次数",
  "device time / device time of everything": "设备时间 / 全部设备时间",
  "the program": "本程序",
};
