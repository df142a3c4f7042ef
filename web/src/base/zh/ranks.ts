// Distributed: what the files state, slow ranks and links; and the advice about ranks, links, cores and stalls.
import type { ProgramWords } from "../translate";

export const ranks: ProgramWords = {
  Roles: "角色",
  Role: "角色",
  "In a job whose folders are roles, such as actor and critic: the name of its folder":
    "若作业的文件夹是角色（如 actor 与 critic）：其文件夹名称",
  "In a job whose folders are roles, such as actor and critic: the name of its folder.":
    "若作业的文件夹是角色（如 actor 与 critic）：其文件夹名称。",
  "the folders name no roles": "文件夹没有指明角色",
  "What each role of the job did, and when. Ranks of different roles have the same numbers; their collectives are matched only inside their role.":
    "作业的每个角色做了什么、在何时。不同角色的 rank 编号相同；其集合通信只在角色内匹配。",
  "the activity of its ranks, by the clocks of the ranks; see Clocks of the ranks":
    "其各 rank 的活动，按各 rank 的时钟；见“各 rank 的时钟”",
  "sums over the steps of a rank, mean over the ranks of the role":
    "对一个 rank 的各 Step 求和，再对角色的各 rank 取平均",
  "times of the roles cannot be compared: see Clocks of the ranks":
    "各角色的时间无法比较：见“各 rank 的时钟”",
  "Name of the folder": "文件夹名称",
  "Ranks of the role": "该角色的 rank",
  "the traces in its folder": "其文件夹中的跟踪文件",
  "Begins work": "开始工作",
  "Ends work": "结束工作",
  "When its first rank begins to work, from the first work of any role.":
    "其第一个 rank 开始工作的时刻，从任一角色的第一个任务算起。",
  "min over its ranks": "其各 rank 的最小值",
  "When its last rank ends its work, from the first work of any role.":
    "其最后一个 rank 结束工作的时刻，从任一角色的第一个任务算起。",
  "max over its ranks": "其各 rank 的最大值",
  "Not recorded": "未采集",
  "Time in which some role was recorded, but this one was not: it had not begun, or had ended.":
    "有角色被采集而该角色未被采集的时间：它尚未开始，或已经结束。",
  "last end of any role - first begin of any role - (end - begin)":
    "任一角色的最后结束 - 任一角色的最早开始 -（结束 - 开始）",
  "A rank computes.": "rank 在计算。",
  "A rank only communicates, waits included.": "rank 只在通信，包括等待。",
  "A rank waits in collectives for other ranks of its role, also while it computes.":
    "rank 在集合通信中等待同一角色的其他 rank，包括同时计算的时间。",
  "no collective of the role is known on two ranks": "该角色没有在两个 rank 上都采集到的集合通信",
  "Neither: a rank idles, copies, or waits for its host or for another role.":
    "两者都不是：rank 空闲、拷贝，或等待主机或其他角色。",
  "Bytes moved": "传输字节数",
  "Links show": "链路图显示",
  "What the map of links between ranks is coloured by, if the files report links":
    "rank 间链路图的着色依据，若文件给出了此类链路",
  "Links of": "链路所属",
  "The process group whose links the map of links shows": "链路图显示哪个通信组的链路",
  "the job's ranks": "作业的 rank",
  "the job": "整个作业",
  "a group without a name": "没有名称的通信组",
  "Links between ranks": "rank 间链路",
  "Computation and communication, as stated": "计算与通信，文件所述",
  "The parts of each worker's step, as stated in the files.": "文件所述各工作进程 Step 的构成。",
  "Transit and synchronization, as stated": "传输与同步，文件所述",
  "Collectives that run at the same time are counted separately.": "并行的集合通信分别计入。",
  "The files do not state it.": "文件没有说明。",
  "Slow ranks and links": "慢卡与慢链路",
  "No rank and no link is significantly slower than the others.": "没有明显慢于其他的 rank 或链路。",
  ", which is not significant": "，差异不显著",
  "No two workers have steps with a duration.": "没有两个工作进程都有时长不为零的 Step。",
  "the sums of steps that the files state, mean over these steps":
    "文件所述的各 Step 汇总，对这些 Step 取平均",
  "what the files state for each collective: summed over a step, mean over these steps":
    "文件对各集合通信的说明，在每个 Step 内求和，对这些 Step 取平均",
  "what the files state for each collective, summed over these": "文件对各集合通信的说明，求和",
  "what the files state for each collective and kind of link": "文件对各集合通信与链路种类的说明",
  "what the files state from rank to rank: the total of each kind of operation, or the sum of its operations if no total is stated":
    "文件对 rank 之间的说明：各种操作的总计，没有总计时为其各操作之和",
  "the files do not state it": "文件没有说明",
  "The vendor's plugin truncates means over steps to whole µs, and counts a step without a number twice.":
    "厂商的插件把各 Step 的平均截为整微秒，并把没有编号的 Step 计两次。",
  "The vendor's plugin adds the sum of the links within a node (SDMA) to these links, and counts a MB as 2^20 bytes.":
    "厂商的插件把节点内链路的合计（SDMA）加到这些链路中，并以 2^20 字节为 1 MB。",
  "Bytes moved per second, while they moved.": "传输期间每秒传输的字节数。",
  "no time is stated": "没有说明时间",
  "Times as the files state them": "文件所述的时间",
  "Computing, and no collective runs.": "在计算，且没有集合通信运行。",
  "Computing and communicating at the same time.": "计算与通信同时进行。",
  "Communicating, and nothing computes.": "在通信，且没有计算。",
  "Data moves.": "在传输数据。",
  "Waiting for other ranks before any data moves.": "在数据传输之前等待其他 rank。",
  "Other waiting": "其他等待",
  "Waiting for other ranks once data has moved.": "在数据传输之后等待其他 rank。",
  Idle: "空闲",
  "In a collective, but neither moving data nor waiting for a rank: launching its parts.":
    "处于集合通信中，但既不传输数据也不等待 rank：在下发其各部分。",
  "In collectives": "集合通信中",
  "From their starts to their ends.": "从开始到结束。",
  "Data transfer, matched": "数据传输，匹配所得",
  "Synchronizing, matched": "同步，匹配所得",
  "For comparison, the value from matching the collectives of the ranks: data moves once the last rank has arrived.":
    "与之对照，由各 rank 的集合通信匹配所得：最后一个 rank 到达后才传输数据。",
  "slices of all workers": "所有工作进程的切片",
  "The same for waiting for other ranks.": "同上：等待其他 rank。",
  "Steps that the means cover, as stated": "计入平均的 Step，按文件所述",
  "no collective of this worker is matched": "此工作进程没有已匹配的集合通信",
  "Collectives as the files state them": "文件所述的集合通信",
  Operation: "操作",
  "Name of the collectives, without their numbers": "集合通信的称呼，略去编号",
  "As the file names it": "按文件中的名称",
  Moved: "传输量",
  "Bytes over all links.": "所有链路上的字节数。",
  "Mean moved": "平均传输量",
  "Mean elapsed": "平均用时",
  Elapsed: "用时",
  Transit: "传输",
  "Per call.": "每次调用。",
  "Mean transit": "平均传输",
  "Waiting for other ranks, synchronization included.": "等待其他 rank，包含同步。",
  "The rest.": "其余部分。",
  "Links by worker": "各工作进程的链路",
  Link: "链路",
  "Kind of link, as the file names it": "链路的种类，按文件中的名称",
  Reach: "范围",
  "Within a device, within a node, or between nodes": "设备内、节点内，或节点间",
  "Bytes over this kind of link.": "此种链路上的字节数。",
  "Time in which they moved.": "传输它们的时间。",
  Packets: "数据包数",
  "Packets in which data moved": "数据分成的份数",
  "Mean packet": "平均数据包",
  "Bytes per packet.": "每个数据包的字节数。",
  "In large packets": "大数据包占比",
  "Share of the bytes in packets that are large enough to use the link well.":
    "能充分利用链路的数据包所占的字节比例。",
  "sizes of packets are not stated": "没有说明数据包的大小",
  "From rank to rank": "从 rank 到 rank",
  '"the job" if the files map ranks of process groups to ranks of the job; else the process group that numbers the ranks':
    "若文件说明了通信组的各 rank 是作业的哪个 rank，则为作业；否则为计数所用的通信组",
  "From rank": "源 rank",
  "Sending rank": "发送的 rank",
  "To rank": "目标 rank",
  "Receiving rank": "接收的 rank",
  "Bytes from the first to the second.": "从一方到另一方的字节数。",
  "nothing is stated between the two": "没有说明两者之间的数据",
  "within the device": "设备内",
  "within a node": "节点内",
  "between nodes": "节点间",
  "from slices: as in Workers; stated: the sums of steps in the files; without a chosen step, means over steps":
    "切片：同“工作进程”；所述：文件中各 Step 的汇总；未选 Step 时取平均",
  "Slow ranks": "慢卡",
  "Part of the step": "Step 的部分",
  "Computing, communicating (also while computing), or neither": "计算、通信（包括计算期间），或两者皆非",
  "Slices, or the sums that the files state": "切片，或文件所述的汇总",
  "Mean over the workers.": "各工作进程的平均。",
  "Time of the worker that spends most in it.": "用时最多的工作进程的时间。",
  "Worker with most": "最多的工作进程",
  "The worker that spends most in it": "在其中用时最多的工作进程",
  "Time of the worker that spends least in it.": "用时最少的工作进程的时间。",
  "Worker with least": "最少的工作进程",
  "The worker that spends least in it": "在其中用时最少的工作进程",
  "Difference between the two.": "两者之差。",
  "Of the step": "占 Step",
  "The difference as a share of the mean step.": "差值占平均 Step 的比例。",
  "the rule of msprof-analyze's advisor; communicating includes communication hidden by computing":
    "msprof-analyze 的 advisor 规则；通信包含被计算掩盖的部分",
  Significant: "值得查看",
  "Whether the share is above 5%; of computing, also whether the difference is above a tenth of the mean.":
    "比例是否超过 5%；对于计算，也包括差值是否超过均值的十分之一。",
  "the values beside it": "旁边的数值",
  "what the files state for each collective and kind of link: bytes and the time in which they moved":
    "文件对各集合通信与链路种类的说明：字节数与传输时间",
  "Slow links": "慢链路",
  Links: "链路",
  "Between nodes (RDMA), or within a node (SDMA: HCCS, PCIE and SIO together)":
    "节点间（RDMA），或节点内（SDMA：HCCS、PCIE 与 SIO 合计）",
  Kinds: "种类",
  "Kinds of link that it includes": "其中的链路种类",
  "Workers that use these links": "使用这些链路的工作进程数",
  "Mean bandwidth": "平均带宽",
  Fastest: "最快",
  "Bandwidth of the worker with the fastest links.": "链路最快的工作进程的带宽。",
  "Fastest worker": "最快的工作进程",
  "The worker with the fastest links": "链路最快的工作进程",
  Slowest: "最慢",
  "Bandwidth of the worker with the slowest links.": "链路最慢的工作进程的带宽。",
  "Slowest worker": "最慢的工作进程",
  "The worker with the slowest links": "链路最慢的工作进程",
  "Of the mean": "占平均",
  "The difference as a share.": "差值的比例。",

  // Advice about the cores.
  "Kernels run on the device's CPU": "内核在设备的 CPU 上运行",
  "CPU cores run kernels that the other cores have no code for, often only because of the element type: cast 64-bit integers, doubles and complex numbers to 32 or 16 bits first, or replace the operator by one that the device's cores can run.":
    "此类核运行其他核没有代码支持的内容，往往只因元素类型：先把 64 位整数、双精度与复数转换为 32 或 16 位，或换用设备的核可运行的算子。",
  "Operators are compiled while the model runs": "模型运行期间在编译算子",
  "Use the kernels that are compiled already: torch_npu.npu.set_compile_mode(jit_compile=False) and torch_npu.npu.config.allow_internal_format = False; else make shapes the same in every step.":
    "使用已编译好的内核：torch_npu.npu.set_compile_mode(jit_compile=False) 与 torch_npu.npu.config.allow_internal_format = False；否则让每个 Step 的形状相同。",
  "Kernels leave cores without work": "内核让部分核无事可做",
  "Tune how these operators are tiled, or choose shapes (batch, hidden size) that divide evenly.":
    "调优这些算子的切分（tiling），或选择可均匀切分的形状（batch、hidden size）。",
  "Kernels do not fully use any pipeline of their cores": "内核没有充分利用其核的任何流水线",
  "Neither computing nor memory limits these: tune their tiling (AOE does so for operators of the library), fuse them with their neighbours, or give them larger inputs.":
    "这些内核既不受计算也不受内存限制：调优其切分（库算子可用 AOE）、与相邻算子融合，或给以更大的输入。",
  "as stated": "文件所述",
  "Between nodes": "节点间",
  "Within a node": "节点内",
  "Cores are not used well": "核没有得到充分利用",
  "Pad inner axes to multiples of 256 elements of 16 bits (128 of 32 bits), fuse small operators, tune the tiling of the operators named, or use larger batches.":
    "把内轴补齐到 256 个 16 位元素（32 位为 128 个）的整数倍、融合小算子、调优所列算子的切分，或增大 batch。",
  "Cores run below their clock": "核低于其频率运行",
  "Check the device's temperature and power limit; a clock that falls under load makes every rank wait for this one.":
    "检查设备的温度与功耗限制；负载下降频会使所有 rank 等待这一个。",

  // Advice about links.
  "Data moves in small packets": "数据以小包传输",
  "Let each collective carry more: larger gradient buckets (bucket_cap_mb), accumulating gradients, fusing parameters into one tensor, larger shards of sharded optimizers, a larger HCCL_BUFFSIZE.":
    "让每次集合通信携带更多数据：增大梯度桶（bucket_cap_mb）、累积梯度、把参数融合为一个张量、增大分片优化器的分片、增大 HCCL_BUFFSIZE。",
  "Copies between ranks compete with kernels": "rank 间的拷贝与内核竞争",
  "Both use the device's memory: change what overlaps with what (order of buckets, when gathering begins), or compute while smaller collectives run.":
    "两者都使用设备的内存：改变重叠的对象（桶的顺序、聚合开始的时机），或在较小的集合通信期间计算。",
  "Copies between ranks are not aligned": "rank 间的拷贝没有对齐",
  "Pad the communicated data so that each rank's part is a multiple of 512 B (sizes of shards, of buckets, of sequence parallel parts).":
    "补齐通信数据，使每个 rank 的部分是 512 B 的整数倍（分片、桶、序列并行部分的大小）。",

  // Advice about ranks.
  "A rank computes longer than the others": "有 rank 的计算时间长于其他",
  "Compare the two workers' kernels: the same ones slower points to the device (clock, temperature, other users of it), more or larger ones to an uneven split of the work (sequence lengths, experts, pipeline stages).":
    "比较两个工作进程的内核：同样的内核更慢说明问题在设备（频率、温度、其他占用者），内核更多或更大说明任务划分不均（序列长度、专家、流水级）。",
  "Ranks communicate for different times": "各 rank 的通信时间不同",
  "A rank idles longer than the others": "有 rank 的空闲时间长于其他",
  "Its device waits for the host: compare the host's operators, data loading, garbage collection and the load of the machine with those of another worker.":
    "其设备在等待主机：与另一个工作进程比较主机的算子、数据加载、垃圾回收与机器负载。",
  "A rank comes late to collectives": "有 rank 到达集合通信较晚",
  "See what this worker does before them on its timeline: computing longer, idling, or a slow host.":
    "在其时间线上查看此前在做什么：计算更久、空闲，或主机慢。",
  "Links of one worker are slower": "某个工作进程的链路较慢",
  "Packets were probably sent again": "数据包可能发生了重传",
  "Look for lost packets: flow control on the switches, errors of ports and optical modules, RDMA traffic class and service level (HCCL_RDMA_TC, HCCL_RDMA_SL).":
    "检查丢包：交换机的流控、端口与光模块的错误、RDMA 的流量类别与服务级别（HCCL_RDMA_TC、HCCL_RDMA_SL）。",

  // Advice about stalls.
  "Slow data-loader calls": "曾等待一个批次",
  "Raise num_workers and prefetch_factor, keep workers between epochs (persistent_workers=True), or look at the storage that the data comes from.":
    "增大 num_workers 与 prefetch_factor、在各 epoch 之间保留工作进程（persistent_workers=True），或检查数据所在的存储。",
  "Garbage collection stops the program": "垃圾回收使程序停顿",
  "Collect at fixed steps instead: gc.disable() or gc.freeze() once the model is built, and gc.collect() every N steps, at the same step on all ranks.":
    "改为在固定的 Step 回收：建好模型后调用 gc.disable() 或 gc.freeze()，每隔若干 Step 在所有 rank 的同一 Step 调用 gc.collect()。",
  "Host and device are both idle": "程序停滞",
  "Device memory is allocated and released in between": "其间在分配与释放设备内存",
  "The framework's allocator should keep memory: avoid empty_cache() in steps, let segments grow (expandable_segments:True in the allocator's settings), or use less memory so that it need not release and retry.":
    "框架的分配器应保留内存：避免在 Step 中调用 empty_cache()、让段可扩展（分配器设置 expandable_segments:True），或减少内存用量以免释放后重试。",
  "The host waits for the device again and again": "主机反复等待设备",
  "Find what requests results: item(), tolist(), printing tensors, copies to the host, nonzero(), a blocking launch setting (ASCEND_LAUNCH_BLOCKING, CUDA_LAUNCH_BLOCKING).":
    "找出何处在索取结果：item()、tolist()、打印张量、拷回主机、nonzero()，或阻塞式下发的设置（ASCEND_LAUNCH_BLOCKING、CUDA_LAUNCH_BLOCKING）。",
  "Batch normalization synchronizes all ranks": "批归一化使所有 rank 同步",
  "Normalize within each rank (BatchNorm), or by group or layer, where convergence allows.":
    "在收敛允许时，在各 rank 内归一化（BatchNorm），或按组或层归一化。",
  "every launch waits for the device": "每次下发都等待设备",
  "unset it: it is for debugging": "取消设置：它用于查找错误",
  "the driver logs each call": "驱动记录每次调用的日志",
  "set it to 3 (errors)": "设为 3（错误）",
  "the driver logs much": "驱动记录大量日志",
  "operators are launched by the thread that runs the model": "算子由运行模型的线程下发",
  "set it to 1 or 2": "设为 1 或 2",
  "ranks of a node do not copy directly": "节点内各 rank 不直接拷贝",
  "unset it": "取消设置",
  "Settings of the environment slow the program down": "环境变量的设置拖慢了程序",
  "Ranks wait for each other in collectives": "各 rank 在集合通信中互相等待",
  "record all ranks: the rank that these wait for was not recorded": "采集所有 rank：它们等待的那个不在此处",
  "find the rank that comes last to collectives": "找出最后到达集合通信的 rank",
  "See what the last rank does before the collective: computing longer, a slow host, data loading, or an uneven split of the work.":
    "查看最后到达的 rank 在集合通信之前做什么：计算更久、主机慢、数据加载，或工作划分不均。",
  "look at the slowest link": "查看最慢的链路",
  "look for lost packets": "查找丢失的数据包",
  "Clocks of the ranks": "各 rank 的时钟",
  "Ranks on one axis": "同一时间轴上的各 rank",
  "Whether times of the ranks can be compared. The timeline shows ranks on one axis by these offsets; a rank whose clock is not known is shown there on its own clock.":
    "各 rank 的时间能否相互比较。时间线按这些偏移把各 rank 显示在同一时间轴上；时钟未知的 rank 按自己的时钟显示。",
  Reference: "基准",
  "Clock of the host": "主机的时钟",
  "Ends of collectives": "集合通信的结束时刻",
  "Ends of collectives, by order": "集合通信的结束时刻，按顺序",
  "Not known": "未知",
  Host: "主机",
  "Its host, as recorded": "所在主机，按记录",
  Offset: "偏移",
  "How far its clock is ahead of the clock of the first rank, after the Unix times of the files where all state them.":
    "它的时钟比首个 rank 的时钟快多少；若所有文件都给出 Unix 时间，先按其对齐。",
  "median of (end on this rank - end on the rank that it is compared with) + offset of that rank":
    "（此 rank 上的结束时刻 - 与之比较的 rank 上的结束时刻）的中位数 + 那个 rank 的偏移",
  "collectives that end on all ranks together (all-reduce, all-gather, reduce-scatter, all-to-all, barrier), matched across ranks":
    "在所有 rank 上同时结束的集合通信（all-reduce、all-gather、reduce-scatter、all-to-all、barrier），跨 rank 匹配",
  "it is not known": "未知",
  Spread: "离散度",
  "How well the offset is known. It is accepted up to 50 µs, or 5% of the median collective if that is more.":
    "偏移的可靠程度。不超过 50 µs，或不超过集合通信中位时长的 5%（取较大者）时接受。",
  "interquartile range of the differences + spread of the rank that it is compared with":
    "差值的四分位距 + 与之比较的 rank 的离散度",
  "no collective measures it": "没有集合通信能测得",
  "Drift (ppm)": "漂移 (ppm)",
  "How much faster its clock runs than that of the first rank, in millionths.":
    "它的时钟比首个 rank 的时钟快百万分之几。",
  "slope between the medians of the first and the last third of the differences":
    "差值前三分之一与后三分之一的中位数之间的斜率",
  "known only from collectives over more than 10 s": "只有集合通信跨越 10 秒以上时才知道",
  Ends: "结束时刻",
  "Differences of ends that the offset is the median of; at least 5 are needed. Through several ranks: the fewest.":
    "偏移是这么多个差值的中位数；至少需要 5 个。经过多个 rank 时为其中最少者。",
  "Compared with": "与之比较",
  "The worker whose clock it is compared with": "与哪个工作进程的时钟比较",
  "Known by": "依据",
  "The rule by which the clock is known": "得知时钟所依据的规则",
  "Transfers checked": "检查的传输",
  "Transfers from rank to rank, which must not end at the receiver before they begin at the sender":
    "rank 之间的传输：在接收方结束不得早于在发送方开始",
  "sends and receives, matched across ranks": "发送与接收，跨 rank 匹配",
  Contradicting: "与之矛盾",
  "Of these, transfers that end before they begin by the aligned clocks, by more than the spread":
    "其中按对齐的时钟在开始之前就结束、且超过离散度的传输",
  "Why not known": "未知的原因",
  "Why the clock is not on the axis": "时钟为何不在时间轴上",
  "no collective that ends on all its ranks together is matched with another rank":
    "没有与其他 rank 匹配的、在所有 rank 上同时结束的集合通信",
  "its collectives are with ranks whose clocks are not known either": "与它通信的 rank 的时钟也未知",
  "its collectives carry no number, and more than one order of them fits those of the reference":
    "它的集合通信没有编号，且有不止一种顺序与基准的相符",
};
