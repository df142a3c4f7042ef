// Graphs of device work, and what replays of them have in common with calls.
import type { ProgramWords } from "../translate";

export const graphs: ProgramWords = {
  // Views, panels, tables.
  Graphs: "图",
  Graph: "图",
  Captures: "捕获",
  "Captured by": "捕获于",
  "The capture of the graph in which all its calls ran": "其所有调用所在图的捕获",
  "not all its calls ran in graphs of one recorded capture": "并非所有调用都在同一次已采集捕获的图中运行",
  Capture: "捕获",
  "Captured for": "捕获规模",
  "Work per launch": "每次启动的任务",
  "Gaps inside": "内部间隙",
  "To the first work": "到首个任务",
  "With an operator": "有算子的部分",
  "Longest path": "最长路径",
  Parallelism: "并行度",
  Usable: "可用",
  "Not recorded": "未记录",
  "Device time in graphs": "图中的设备时间",
  // How launches were matched.
  "by the names of the kernels": "依据内核名称",
  "by order": "依据顺序",
  "by names; captures of other shapes fit too": "依据名称；其他形状的捕获也相符",
  "a part, by the names of the kernels": "一部分，依据内核名称",
  "no: no capture was recorded": "否：没有记录捕获",
  "no: its device work is not in the recording": "否：采集中没有其设备任务",
  "no: no capture has as many calls": "否：没有捕获具有同样多的调用",
  "no: captures launch other kernels": "否：捕获启动的是其他内核",
  "no: different captures fit": "否：有不同的捕获相符",
  "no: several streams, and no order of nodes": "否：有多条流，且节点顺序未知",
  "no: the capture launches a graph": "否：捕获自身启动了图",
  "no: the recording ends before the capture": "否：采集在捕获结束之前结束",
  // Docs.
  "The range around its capture, and the number of the capture within it; else the call":
    "捕获所在的范围及捕获在其中的序号；否则为调用",
  "Id of the graph, as the file writes it.": "文件中图的编号。",
  "Tokens that it was captured for.": "捕获时的 token 数。",
  "name of the range around its capture": "捕获所在范围的名称",
  "How its launches were matched to a capture, or why not": "其启动如何与捕获匹配，或为何未能匹配",
  "How often it was launched.": "启动的次数。",
  "Kernels, copies and fills that one launch ran.": "一次启动运行的内核、拷贝和填充。",
  "pieces of device work / launches": "设备任务数 / 启动次数",
  "Time of its device work.": "其设备任务的时间。",
  "device work that the launches enqueued": "由启动提交的设备任务",
  "the recording does not show what ran": "采集未显示运行了什么",
  "the recording does not state which node of the graph depends on which": "采集未说明图中节点之间的依赖",
  "Time between the first and the last work of a launch in which none of it ran.":
    "一次启动的首个与最后一个任务之间没有其任务运行的时间。",
  "sum over launches of: end of the last work - start of the first - length of the union of the work":
    "对各次启动求和：最后任务的结束 - 首个任务的开始 - 任务并集的长度",
  "Mean time from the start of the launching call to the start of the first work; it includes waiting for earlier work of the stream.":
    "从启动调用开始到首个任务开始的平均时间；包含等待流中先前任务的时间。",
  "sum of (start of the first work - start of the call) / launches":
    "（首个任务的开始 - 调用的开始）之和 / 启动次数",
  "launches and their device work": "启动及其设备任务",
  "Share of its device time for which the capture shows the operator, module or annotation.":
    "其设备时间中由捕获给出算子、模块或标注的占比。",
  "device time attributed by the capture / device time": "依据捕获归属的设备时间 / 设备时间",
  "attribution of device work": "设备任务的归属",
  "Mean over launches of the longest chain of work in which each piece depends on the one before.":
    "各次启动中最长任务链（每个任务依赖前一个）的平均时间。",
  "largest sum of durations along dependencies of nodes": "沿节点依赖的时长之和的最大值",
  "dependencies of graph nodes": "图节点的依赖",
  "How much of its work could run at the same time, at most.": "其任务最多有多少可以同时运行。",
  "device time / longest path": "设备时间 / 最长路径",
  "The named range around it, or the file": "其所在的命名范围，或文件",
  "Number of the capture within the range.": "捕获在范围中的序号。",
  "name of the range": "范围的名称",
  "Calls that put device work into the graph.": "将设备任务放入图中的调用。",
  "number of launching calls": "启动调用的次数",
  "Launches of graphs that were matched to it.": "与其匹配的图启动。",
  "number of launches": "启动次数",
  "matching of graphs": "图的匹配",
  "Whether its kernels are named, or why it cannot be matched": "其内核是否有名称，或为何无法匹配",
  "File that recorded it": "记录它的文件",
  "Calls that launched a graph.": "启动图的调用。",
  "Launches whose work was matched to the calls of a recorded capture.":
    "其任务与已记录捕获的调用相匹配的启动。",
  "number of launches without device work": "没有设备任务的启动次数",
  "Share of all device time that launches of graphs ran.": "图的启动所运行的任务占全部设备时间的比例。",
  "device time of launches of graphs / device time": "图启动的设备时间 / 设备时间",
  "No device work of a graph was recorded.": "没有记录图的设备任务。",
  "Launches without recorded device work. The activity of the device during them is unknown.":
    "采集中没有其设备任务的启动。设备在此期间做了什么未知。",
  "No capture was recorded, so the operators inside graphs are unknown. Record the start of the process as well, or put recordings of the captures into a folder capture_traces beside this file.":
    "没有记录捕获，因此图内的算子未知。请同时采集进程的启动阶段，或将捕获的采集文件放入此文件旁的 capture_traces 文件夹。",
  "No graph was launched.": "没有启动图。",
  "no graphs of device work in this profile: none was launched or captured":
    "此性能数据中没有设备任务的图：既未启动也未捕获",
  "What ran inside graphs of device work, which a call launches as a whole.":
    "由一次调用整体启动的设备任务图中运行了什么。",
  "replayed with a graph: no host code ran": "随图重放：主机代码未运行",
  "How often it was called, or replayed with a graph.": "调用或随图重放的次数。",
  "operator ranges of the host threads; operators of the captures of graphs, at each launch":
    "主机线程的算子范围；图的捕获中的算子，每次启动各计一次",
};
