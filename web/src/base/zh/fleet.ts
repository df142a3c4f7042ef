// Texts of the views of a fleet (src/fleet/sql/views/*.sql).
import type { ProgramWords } from "../translate";

export const fleet: ProgramWords = {
  Fleet: "集群",
  "this is not a capture of a lake": "这不是数据湖中的一次采集",
  rank: "个 rank",
  ranks: "个 rank",

  "Part of the name of a process group, in any letter case": "进程组名称的一部分，不分大小写",
  "Part of the name of a worker or host, in any letter case": "worker 或主机名称的一部分，不分大小写",
  "Only the step of this number; else means over the steps of each rank":
    "只看此编号的步骤；否则为每个 rank 各步骤的平均",

  // fleet
  "Fleet map": "集群图",
  "Ranks by steps: how long each waited, and how long others waited for it.":
    "各 rank 的各步骤：每个 rank 等待了多久，其他 rank 又等待了它多久。",
  "What the map is coloured by": "图按什么着色",
  "Ranks, or means over the ranks of a host, rack or switch, or of the same place in groups of this name":
    "各 rank，或一台主机、一个机架、一台交换机上的 rank，或在此名称的组中位置相同的 rank 的平均值",
  Hosts: "主机",
  Racks: "机架",
  Switches: "交换机",
  TP: "TP",
  PP: "PP",
  DP: "DP",
  cell: "个格子",
  cells: "个格子",
  "Fleet by steps": "集群的各步骤",
  "One cell for each row and step; with more than 2,000 rows, neighbours share a cell, which has their mean.":
    "每行每步一个格子；多于 2,000 行时，相邻的行共用一个格子，显示它们的平均值。",
  Cells: "格子",
  "Path or address of the trace of the rank with the most.": "值最大的 rank 的跟踪文件的路径或地址。",
  "Timeline of the rank with the most": "值最大的 rank 的时间线",
  "Worker, host, rack, switch, or place in the groups of this name.":
    "worker、主机、机架、交换机，或在此名称的组中的位置。",
  "What the map shows, mean over the ranks of the row.": "图所显示的值，取该行各 rank 的平均。",
  "The largest value among these ranks.": "这些 rank 中的最大值。",
  "Rank with the most": "值最大的 rank",
  "Its worker.": "它的 worker。",
  "Ranks of the row in this step.": "该行在此步骤中的 rank 数。",

  // fleet_ranks
  "How each rank spends its steps, how long it waits for others, and how long others wait for it.":
    "每个 rank 的步骤时间用在哪里，它等待其他 rank 多久，其他 rank 等待它多久。",
  "No rank was read.": "没有读取任何 rank。",
  "From its file's name.": "来自其文件名。",
  "Index in the job, as recorded.": "在作业中的编号，按记录。",
  "As recorded, else from the worker's name.": "按记录，否则取自 worker 的名称。",
  "How long others waited for this rank in collectives in which it arrived last.":
    "在它最后到达的集合通信中，其他 rank 等待它的时间。",
  "Share of the waiting caused": "占所造成等待的比例",
  "Of all ranks.": "占全部 rank。",
  "It computes, and no collective runs.": "在计算，没有集合通信在运行。",
  "It computes and communicates at the same time.": "同时在计算和通信。",
  "A collective runs, and nothing computes.": "有集合通信在运行，没有计算。",
  "Neither.": "两者都没有。",
  "Length of the step: the sum of these four.": "步骤的长度：这四项之和。",
  "Data moves in a collective: all its ranks have arrived.": "集合通信在传输数据：其所有 rank 都已到达。",
  "It is only in collectives that no other worker recorded.": "只处于其他 worker 没有记录的集合通信中。",
  "How much earlier these collectives would have ended if it had arrived together with the rank before it.":
    "如果它与前一个 rank 同时到达，这些集合通信会早结束多少。",
  "Collectives in which it arrived last.": "它最后到达的集合通信。",
  "The part of these in which it arrived later than chance explains.": "其中它的迟到无法用偶然解释的部分。",
  "Steps that the means cover.": "平均值所涵盖的步骤。",
  Trace: "跟踪文件",
  "Path or address of its trace.": "其跟踪文件的路径或地址。",
  "Timeline of the rank": "该 rank 的时间线",

  // fleet_waits
  "Longest waits": "最长的等待",
  "The collectives in which ranks waited longest, and for whom.": "rank 等待最久的集合通信，以及等待的是谁。",
  collectives: "个集合通信",
  "What it does.": "它做什么。",
  "Its name.": "它的名称。",
  "Within the process group, as recorded.": "在进程组内，按记录。",
  "Step of the worker that arrived last.": "最后到达的 worker 的步骤。",
  "The worker that the others waited for; on ties, the first.":
    "其他 worker 所等待的 worker；相同时取第一个。",
  "Time in which data moved: the shortest time that any rank was in it.":
    "传输数据的时间：各 rank 处于其中的最短时间。",
  "Ranks that recorded it.": "记录了它的 rank。",
  "Names the collective in the view of its members.": "在其成员的视图中指明该集合通信。",
  "Its ranks": "它的 rank",
  "Its row of slices in the last worker's profile.": "它在最后到达的 worker 的切片表中的行号。",
  "Path or address of the last worker's trace.": "最后到达的 worker 的跟踪文件的路径或地址。",
  "Timeline of the last worker": "最后到达的 worker 的时间线",

  // fleet_members
  "Ranks of a collective": "一次集合通信的 rank",
  "How long each rank was in one collective: the shortest came last, and the others waited for it.":
    "每个 rank 在一次集合通信中的时间：时间最短的最后到达，其他 rank 在等待它。",
  "No such collective.": "没有这样的集合通信。",
  "Its key in the view of the longest waits; else the one that was waited in longest":
    "它在“最长的等待”视图中的键；否则为等待最久的那一个",
  "Time in it": "处于其中的时间",
  "From its arrival to the end.": "从它到达至结束。",
  "Time in it without the data transfer.": "处于其中的时间减去数据传输。",
  "Share of the longest wait": "占最长等待的比例",
  "Of the rank that arrived first.": "最先到达的 rank 的等待。",
  "On the clock of its host.": "按其主机的时钟。",
  "Its row of slices in the rank's profile.": "它在该 rank 的切片表中的行号。",

  // fleet_bandwidth
  "How fast collectives of each kind and size moved their data.": "各种类和大小的集合通信传输数据的速度。",
  "kind and size": "种类与大小",
  "kinds and sizes": "种类与大小",
  "Their names in the program.": "它们在程序中的名称。",
  "Ranks of the process group, as recorded, else those seen.": "进程组的 rank 数，按记录，否则为所见的数量。",
  "Size of the message.": "消息的大小。",
  "One on several ranks counts once.": "多个 rank 上的同一次只计一次。",
  "Mean of the shortest time that any rank was in it, where above 0.":
    "各 rank 处于其中的最短时间（大于 0 时）的平均值。",
  "Algorithm bandwidth x factor; compare it with the bandwidth of a hardware link.":
    "算法带宽 × 系数；可与硬件链路的带宽比较。",

  // fleet_groups
  "How long the ranks of each process group waited for each other, and for whom most.":
    "每个进程组的 rank 相互等待了多久，以及等待谁最久。",
  "process group": "个进程组",
  "process groups": "个进程组",
  "No process group was recorded.": "没有记录进程组。",
  Purpose: "用途",
  "What the program calls it, else its name.": "程序对它的称呼，否则为其名称。",
  "List of ranks": "rank 列表",
  "Its ranks in this capture.": "它在此次采集中的 rank 数。",
  "Matched collectives; one on several ranks counts once.":
    "已匹配的集合通信；多个 rank 上的同一次只计一次。",
  "Total wait of its ranks.": "其各 rank 等待的总时间。",
  "Share of the waits": "占等待的比例",
  "Of all groups.": "占全部进程组。",
  "The worker that the others waited for longest.": "其他 worker 等待最久的 worker。",
  "How long they waited for it.": "它们等待它的时间。",

  // fleet_links
  Links: "链路",
  "How fast collectives moved their data between each pair of hosts, against other pairs with equal collectives.":
    "集合通信在每对主机之间传输数据的速度，与有相同集合通信的其他主机对比较。",
  "Part of the name of a host, in any letter case": "主机名称的一部分，不分大小写",
  "pair of hosts and size": "对主机与大小",
  "pairs of hosts and sizes": "对主机与大小",
  "No collective over two hosts or more was matched.": "没有匹配到跨越两台或更多主机的集合通信。",
  Host: "主机",
  "Other host": "另一台主机",
  "One of the two, neighbours in the order of the group's ranks.": "两者之一；它们在该组 rank 的顺序中相邻。",
  "The other.": "另一台。",
  "Hosts of the group": "该组的主机数",
  "A collective over more than two hosts counts for each pair of neighbours: its time is that of its slowest link.":
    "跨越两台以上主机的集合通信计入每对相邻主机：其时间为最慢链路的时间。",
  "Collectives over the two hosts.": "跨越这两台主机的集合通信。",
  "Mean of the shortest time that any rank was in it.": "各 rank 处于其中的最短时间的平均值。",
  "Fastest data transfer": "最快的数据传输",
  "The shortest of these times.": "这些时间中最短的。",
  "Median of the pairs": "各主机对的中位数",
  "Median of the mean data transfers of all pairs with collectives of this kind, size and number of hosts.":
    "有此种类、大小和主机数的集合通信的所有主机对的平均数据传输时间的中位数。",
  "fewer than three pairs have such collectives": "有此类集合通信的主机对不足三对",
  "Times the median": "中位数的倍数",
  "Mean data transfer / median of the pairs: far above 1, the link is slow.":
    "平均数据传输 / 各主机对的中位数：远大于 1 表示链路慢。",

  // fleet_kernels
  "Kernels over ranks": "各 rank 的内核",
  "Timeline of the slowest worker": "最慢的 worker 的时间线",
  "Which kernel is slow on which rank: the mean time of its calls there against the median over all ranks.":
    "哪个内核在哪个 rank 上慢：它在该 rank 上调用的平均时间，与所有 rank 的中位数比较。",
  "Part of the name of a kernel, in any letter case": "内核名称的一部分，不分大小写",
  "No kernel was recorded.": "没有记录内核。",
  "Ranks that ran it.": "运行了它的 rank。",
  "Calls on all ranks.": "在所有 rank 上的调用数。",
  "Sum of the durations on all ranks.": "在所有 rank 上的时长之和。",
  "Median of the ranks": "各 rank 的中位数",
  "Median over ranks of the mean duration of a call.": "各 rank 上一次调用平均时长的中位数。",
  "Fastest rank": "最快的 rank",
  "Smallest mean duration of a call.": "一次调用的最小平均时长。",
  "Slowest rank": "最慢的 rank",
  "Largest mean duration of a call.": "一次调用的最大平均时长。",
  "Slowest rank / median of the ranks.": "最慢的 rank / 各 rank 的中位数。",
  "fewer than three ranks ran it": "运行它的 rank 不足三个",
  "Lost on the slowest": "在最慢的 rank 上损失",
  "(slowest rank - median of the ranks) x calls of a rank: what this kernel costs the ranks that wait.":
    "（最慢的 rank - 各 rank 的中位数）× 一个 rank 的调用数：该内核使等待的 rank 损失的时间。",
  "Slowest worker": "最慢的工作进程",
  "The rank with the largest mean; the first of equals.": "平均值最大的 rank；相同时取第一个。",
  "Its host.": "它的主机。",

  // fleet_capture
  "What was recorded": "记录了什么",
  "Which ranks are in the capture, how their collectives were matched, and what was wrong with their traces.":
    "采集中有哪些 rank，其集合通信如何匹配，以及其跟踪文件有什么问题。",
  "Every rank was read completely, and every rank of the job is here.":
    "每个 rank 都已完整读取，作业的所有 rank 都在。",
  "Ranks that are missing or damaged": "缺失或损坏的 rank",
  "From its file's name; unknown if no trace of the rank was listed.":
    "来自其文件名；如果没有列出该 rank 的跟踪文件则未知。",
  "Index in the job.": "在作业中的编号。",
  State: "状态",
  "partial: not all of its trace could be read; failed: none; missing: no trace of the rank is here.":
    "partial：其跟踪文件未能全部读取；failed：完全未能读取；missing：没有该 rank 的跟踪文件。",
  Problem: "问题",
  "The first problem of its trace.": "其跟踪文件的第一个问题。",
  "Matched collectives": "已匹配的集合通信",
  "Of all collectives of the capture, those known on two ranks or more.":
    "在采集的全部集合通信中，在两个或更多 rank 上已知的部分。",
  "Matched by order": "按顺序匹配",
  "Of these, those without a sequence number, which were matched by their order in the step.":
    "其中没有序号、按步骤内的顺序匹配的部分。",
};
