// The docs of views, panels, columns, facts and parameters, line by line. Formulas are not translated: they are
// mathematics over the names of columns.
import type { ProgramWords } from "../translate";

export const docs: ProgramWords = {
  // Groups of rows.
  "How many rows of the table the group has.": "该组包含表中多少行。",
  // Views.
  "Which operators took the time, on the host and on the device.": "哪些算子占用了主机与设备的时间。",
  "Which modules of the model took the time, in the forward and in the backward pass.":
    "模型的哪些模块在前向与反向中占用了时间。",
  "Which modules and which hooks of a PyTorch Lightning run took the time.":
    "PyTorch Lightning 运行中哪些模块与钩子占用了时间。",
  "Which operators, modules and Python functions called which, on every thread, merged by path; who called a function, and what it called.":
    "每个线程上算子、模块与 Python 函数的调用关系，按路径合并；谁调用了某个函数，它又调用了什么。",
  "What ran when, on every thread and stream.": "每个线程与流上，什么在何时运行。",
  "How much memory of a device was in use over time, what allocated it, and what compilers planned.":
    "设备内存何时用了多少，由谁分配；以及编译器的规划。",
  "How the ranks of a job spend their steps, how long they wait for each other, and for which rank.":
    "作业的各 rank 如何度过每个 Step，彼此等待多久，以及在等谁。",
  "Where the time of two runs differs: by step, module, operator and kernel.":
    "两次运行的时间差在哪里：按 Step、模块、算子与内核。",
  "Metadata of the file, and the tables that were read from it.": "文件关于自身的说明，以及从中读出的内容。",
  "Your own SQL over the profile's tables.": "用 SQL 对性能数据的各表提出自己的问题。",
  "Whether two training runs computed the same losses: the losses in their logs, and the differences between two logs.":
    "两次训练的计算结果是否一致：日志中的损失值，以及两者的差值。",
  "What was wrong with the file, and what Sightline did about it.":
    "文件有哪些问题，以及 Sightline 如何处理。",

  // Panels.
  "An estimate by rules: a trace does not say what a block was used for.":
    "按规则判断：trace 并不说明内存块的用途。",
  "One cell per worker and step. A worker that others wait for shows as a row, a slow step as a column.":
    "每个工作进程的每个 Step。被其他进程等待的工作进程会突出为一行，慢的 Step 会突出为一列。",
  "All device lanes, a lane, or a category of the slices there":
    "所有设备泳道、一条泳道，或其中切片的一个类别",
  "Lane, or name of the slices": "泳道，或切片的名称",
  "Elapsed time in the range during which at least one of them was open; of a lane, without the ranges that a device repeats from its host.":
    "范围内至少有一个处于打开状态的时间；对于泳道，不含设备重复主机的范围。",
  "as by name": "与按名称的表相同",
  "The tables to compute; empty: all of them": "要计算的表；空：全部",
  "Flame graph of the range: the slices of each lane merged by path; width is the time in the range, not the order of time.":
    "范围的火焰图：每条泳道的切片按路径合并；宽度为范围内的时间，而非时间先后。",
  "Flame graph over all calls, merged by path: width is the device total, not the order of time.":
    "所有调用按路径合并的火焰图：宽度表示设备总时间，而非时间顺序。",
  "Flame graph over all calls, merged by path: width is the host total, not the order of time.":
    "所有调用按路径合并的火焰图：宽度表示主机总时间，而非时间顺序。",
  "The parts of the communication time; they sum to Overlapped and Communication of the other chart.":
    "通信时间的构成：即旁边图中的掩盖与通信两部分。",
  "How the time of each step was spent.": "每个 Step 的时间花在哪里。",
  "The parts of each worker's step; they sum to the step.":
    "每个工作进程的 Step 由哪些部分构成。各部分之和等于 Step。",
  "Window: from the start of the first kept step to the end of the last.":
    "统计窗口：从第一个计入的 Step 开始到最后一个结束。",

  // Columns.
  "0 is the innermost frame": "0 为最内层栈帧",
  "A collective runs (its kernel, or its range on the host) and no device computes, copies or fills.":
    "集合通信（其内核或其主机侧范围）在运行，且没有设备在计算、拷贝或填充。",
  "A counter of the file.": "文件中的计数器。",
  "A device copies and no kernel runs.": "有设备在拷贝，且没有内核运行。",
  "A device fills memory and neither computes nor copies.": "有设备在填充内存，且既不计算也不拷贝。",
  "A kernel runs on at least one device.": "某个设备上有内核运行。",
  "Active warps per multiprocessor as a share of the most it can hold, estimated from the launch.":
    "每个多处理器上活跃 warp 占其上限的比例，由启动参数估计。",
  "All memory of the device.": "设备的全部内存。",
  "Allocations and releases.": "分配与释放。",
  "As recorded": "按记录",
  "Its kind; as recorded where the kind is not known": "其种类；种类未知时按记录",
  "As the file says": "按文件所述",
  "Average device time of a call.": "每次调用的平均设备时间。",
  "Average time of one of them in the range.": "其中每个在范围内的平均时间。",
  "Blocks in the grid, per dimension": "网格各维度的线程块数",
  "Blocks of the grid per multiprocessor; below 1 some multiprocessors have nothing to do.":
    "每个多处理器分到的线程块数；小于 1 时有多处理器无事可做。",
  "Total wait of all other ranks.": "所有其他 rank 的等待合计。",
  "Change of the allocated memory by the operator itself.": "它自身使已分配内存变化了多少。",
  "Change of the allocated memory in its calls, including what is inside them.":
    "它的调用（含内部）使已分配内存变化了多少。",
  "By recorded host name, else by the workers' names": "按记录的主机名，没有时按工作进程的名称",
  "Wait of the rank that arrived first.": "最先到达的 rank 的等待。",
  "Bytes of its columns in memory": "其各列在内存中的字节数",
  "Bytes of the message per second.": "每秒传输的消息字节数。",
  "Bytes per call.": "每次调用的字节数。",
  "Bytes that the framework's allocator has allocated, and bytes that it holds.":
    "框架的分配器已分配的字节数与持有的字节数。",
  "Bytes that this worker put in.": "此工作进程输入的字节数。",
  "Calls that other workers recorded as well": "在其他工作进程上也能找到的调用",
  "Class of the module": "模块的类",
  "Class of the module, and its number within the class": "模块的类，以及是该类的第几个",
  "Collectives in which this worker arrived last; on ties, the first worker counts":
    "此工作进程最后到达的集合通信；并列时取第一个",
  "Columns it has": "它有的列",
  "Compute capability, major": "计算能力的主版本",
  "Compute capability, minor": "计算能力的次版本",
  "Computing and communicating at the same time: this part of a collective costs no time.":
    "计算与通信同时进行：集合通信被掩盖、不占额外时间的部分。",
  "Data moves in at least one collective: all its ranks have arrived.":
    "某个集合通信正在传输数据：其所有 rank 均已到达。",
  "Data transfer per call.": "每次调用的数据传输时间。",
  "Device memory": "设备内存",
  "Device number within the worker": "工作进程内的设备编号",
  "Device number, for device lanes": "设备编号，用于设备泳道",
  "Device time caused inside it, excluding modules (or hooks) inside it.":
    "其内部引起的设备时间，不含其内部同类所引起的。",
  "Device time caused inside it, including everything inside it.": "其内部引起的设备时间，包含内部各层。",
  "Device time caused inside it.": "其内部引起的设备时间。",
  "Device time it launched itself.": "它自身下发的设备时间。",
  "Device time launched by it and by everything inside it.": "它及其内部全部内容下发的设备时间。",
  "Device time of all its calls.": "其所有调用的设备时间。",
  "Device time of its calls.": "其调用的设备时间。",
  "Device time of the backward pass of its operators and of the operators of modules inside it.":
    "其算子以及内部模块的算子在反向中的设备时间。",
  "Device work that was enqueued and has not started, by stream.": "已入队而尚未开始的设备任务，按流统计。",
  "Devices that did any work of this process": "执行过此进程任务的设备",
  "Number of collectives; one on several ranks counts once": "每个集合通信在其所有 rank 上只计一次",
  "Elapsed time in which the device worked for it.": "设备为其工作所经过的时间。",
  "Elapsed time in the range during which at least one of them was open.": "范围内至少有一个正在进行的时间。",
  "Events of the file, of any kind": "文件中各种事件的总数",
  "Events outside all operators; the table by operator leaves them out.":
    "不在任何算子中发生的事件；按算子的表不计入。",
  "Frames, outermost last, joined by ;": "栈帧，以 ; 连接，最外层在最后",
  "Generation of the device, in the vendor's numbering": "设备的代次，按厂商的编号",
  "Allocated by the allocator, for example to tensors.": "由分配器分配出去，例如给张量。",
  "Held by the allocator and not allocated: kept for reuse, or too fragmented to be used.":
    "由分配器持有但未分配：留待复用，或过于碎片化而无法使用。",
  "Held by the allocator, in use or kept for reuse.": "由分配器持有，正在使用或留待复用。",
  "Host time in it, excluding everything inside it.": "在其中、且不在其内部各层中的主机时间。",
  "Host time in it, excluding modules, operators and launching calls inside it: mostly Python.":
    "在其中、但不在其内部的模块、算子或下发调用中的主机时间：主要是 Python。",
  "Host time in it, including its own operators, excluding modules (or hooks) inside it.":
    "在其中、但不在其内部同类中的主机时间：包含其自有算子。",
  "Host time in it, including everything inside it.": "在其中的主机时间，包含内部各层。",
  "Host time of the backward pass of its operators and of the operators of modules inside it.":
    "其算子以及内部模块的算子在反向中的主机时间。",
  "How fast copies and fills move bytes, by direction.": "拷贝与填充移动字节的速度，按方向统计。",
  "How full of warps the multiprocessors were while kernels ran, estimated from their launches.":
    "内核运行时多处理器上 warp 的充满程度，由启动参数估计。",
  "How long a rank waited for the last rank.": "rank 等待最后到达者的时长。",
  "How long a step takes on average, and how the time is spent.": "一个 Step 平均用时多久，花在哪里。",
  "How long it lasted, including its device work.": "持续时长，包含设备。",
  "How long it took on the host; for a step, until host and device have finished it.":
    "在主机上的用时；对 Step 而言，直到主机与设备都完成。",
  "How long it was allocated.": "保持分配的时长。",
  "How many blocks were allocated or released.": "分配或释放的内存块数。",
  "How many kernels the chart shows before the rest": "图中单独显示的内核数，其余合并",
  "How many of the multiprocessors had a block to run, estimated from the launches.":
    "有线程块可运行的多处理器比例，由启动参数估计。",
  "Share of the multiprocessors that had blocks to run, averaged over time.":
    "有线程块可运行的多处理器比例，随时间累计。",
  "How many operators the charts show before the rest": "图中单独显示的算子数，其余合并",
  "How many paths are shown; the largest come first": "显示的路径数；大的在前",
  "Number of ranges in it.": "其中的范围数。",
  "How many slices are in the range.": "范围内的切片数。",
  "Collectives that this worker took part in": "此工作进程参与的集合通信数",
  "Number of blocks that were allocated at that time.": "当时已分配的内存块数。",
  "How much later the last rank arrived than the rank before it.": "最后到达者比前一个晚多少。",
  "Increase from the baseline to the compared profile.": "从基准到对比数据的增量。",
  "Share of the time in which at least one kernel ran on the device.": "设备上有内核运行的时间比例。",
  "How much earlier these collectives would have ended if this worker had arrived together with the rank before it.":
    "若此工作进程与前一个同时到达，这些集合通信会提前多久结束。",
  "How often": "次数",
  "How often it allocated memory itself.": "它自身分配内存的次数。",
  "How often it ran.": "运行次数。",
  "How often it was called inside the part.": "在该部分内被调用的次数。",
  "How often it was called.": "被调用的次数。",
  "How often memory was allocated in its calls, including what is inside them.":
    "其调用（含内部）中分配内存的次数。",
  "How often something happened in the whole recording.": "整个采集期间发生的次数。",
  "Index in the job, as recorded": "在作业中的序号，按记录",
  "Index of this worker in the job": "此工作进程在作业中的序号",
  "It is only in collectives that no other worker recorded: waiting and transfer cannot be separated.":
    "只处于其他工作进程上找不到的集合通信中：无法区分等待与传输。",
  "It waits in collectives for other ranks, and no data moves.": "在集合通信中等待其他 rank，没有数据传输。",
  "Iteration number as recorded": "记录的迭代号",
  "Its name": "其名称",
  "Its name in the model": "其在模型中的名称",
  "Share of all device time.": "占全部设备时间的比例。",
  "Share of the device time of the tree.": "占整棵树设备时间的比例。",
  "Name of the run": "运行名称",
  "Name of the worker": "工作进程名称",
  "recorded without steps": "采集时没有 Step",
  "Name of the span": "采集段名称",
  "How alike it is to the baseline.": "与基准的相似程度。",
  "names of operators, devices, world size, steps": "算子名称、设备、总进程数、步",
  "the two profiles have nothing in common that is known": "两份性能数据没有可比较的已知信息",
  "Share of the names of operators that both profiles have.": "两份性能数据共有的算子名称所占比例。",
  "names of operators, else of kernels": "算子名称，没有算子时为内核名称",
  "one of the two has no operators": "其中一份没有算子",
  "Steps without those that are cut off.": "步数，不含被截断的步。",
  "Devices that did work": "执行过工作的设备",
  "no device is named": "没有设备名称",
  "Ranks of the job.": "作业的 rank 数。",
  "metadata of the recording": "记录的元数据",
  "Only it has device activity.": "只有它有设备活动。",
  "Only the baseline has device activity.": "只有基准有设备活动。",
  "How similar the two are is not known.": "已知信息不足以判断二者的相似程度。",
  "Share of the device time of all functions.": "占所有函数设备时间的比例。",
  "Share of the host time of all functions.": "占所有函数主机时间的比例。",
  "Share of the device time of the function.": "占该函数设备时间的比例。",
  "Share of the host time of the function.": "占该函数主机时间的比例。",
  "Its callers and its callees; empty: the whole tree": "其调用者与被调用者；空为整棵树",
  "What is inside a row: the calls that it made, or those that made it":
    "行内的内容：它发起的调用，或发起它的调用",
  "Every function, and below it its callers: width is the self time of the function that these callers caused.":
    "每个函数及其下方的调用者：宽度为这些调用者所引起的该函数自身时间。",
  "The function, and above it its callers: width is the total time of the function that these callers caused.":
    "该函数及其上方的调用者：宽度为这些调用者所引起的该函数总时间。",
  "The function, and below it what it called: width is the total time.":
    "该函数及其下方的被调用者：宽度为总时间。",
  "Share of the host time of the tree.": "占整棵树主机时间的比例。",
  "Share of the time of all kernels in scope.": "占统计范围内所有内核时间的比例。",
  "Its value as text": "其值的文本",
  "Its width in the flame graph.": "其在火焰图中的宽度。",
  "Length of the recording": "采集的时长",
  "Length of the step, including its device work.": "Step 的时长，包含设备。",
  "Line in the file": "文件中的行号",
  "Longest call.": "最长的调用。",
  "Longest part of one in the range.": "范围内单个的最长部分。",
  "Mean device time of a call.": "每次调用的平均设备时间。",
  "Mean host time of a call.": "每次调用的平均主机时间。",
  "Mean length of the kept steps that are not empty": "计入的非空 Step 的平均时长",
  "Name of the entry in the file": "文件中条目的名称",
  "Memory allocated in its calls, including what is inside them.": "其调用（含内部）中分配的内存。",
  "Memory it allocated itself.": "它自身分配的内存。",
  "Memory of the device, as recorded": "设备的内存，按记录",
  "Maximum number of resident threads per core": "一个核上可驻留的最多线程数",
  "Multiprocessors or compute units": "多处理器或计算单元的数目",
  "Multiprocessors or compute units, as recorded": "多处理器或计算单元的数目，按记录",
  "Name of the kernel": "内核的名称",
  "Name of the operator": "算子的名称",
  "Name of the range, thread or Python function": "范围、线程或 Python 函数的名称",
  "Name of the slices": "切片的名称",
  "Name of the worker, from its file's name": "工作进程的名称，取自文件名",
  "Neither: copies, the host, data loading, idling.": "两者皆非：拷贝、主机、数据加载、空闲。",
  "No recorded activity.": "没有任何被记录的活动。",
  "Numbers of the timeline's lanes, separated by commas; empty: all":
    "时间线泳道的编号，以逗号分隔；空为全部",
  "Step of the worker that arrived last": "最后到达的工作进程的 Step",
  "Offset of the first one, in the decompressed file": "第一个的偏移，在解压后的文件中",
  "Slice on the worker that arrived last": "最后到达的工作进程上的切片",
  "Operators that it calls itself.": "它自身调用的算子。",
  "Process id as the file writes it": "文件中所写的进程 id",
  "Process name": "进程名称",
  "Product name": "产品名称",
  "Ranks of the process group, as recorded, else those seen": "通信组的 rank 数，按记录；没有时按所见",
  "Ranks that recorded it": "能找到它的 rank 数",
  "Registers per thread.": "每线程寄存器数。",
  "Row of the first call with this stack": "具有此调用栈的首次调用的行号",
  "For an overflow lane, the row of its main lane": "溢出泳道所属主泳道的行号",
  "Row of the operator's call that allocated it": "分配它的算子调用的行号",
  range: "范围",
  "Rows it has": "它有的行数",
  "Shapes of the inputs; [] is a scalar or an absent tensor": "输入的形状；[] 为标量或缺省的张量",
  "Share of the communication time in which a worker only waits": "通信时间中工作进程只在等待的比例",
  "Share of the communication time in which the worker also computes": "通信时间中工作进程同时在计算的比例",
  "Share of the step in which at least one collective runs, over all workers":
    "Step 中有集合通信运行的比例，对所有工作进程统计",
  "Share of the step.": "占 Step 的比例。",
  "Share of the time that at least one kernel ran, in buckets.":
    "至少有一个内核运行的时间比例，按时间桶统计。",
  "Shared memory per block, static and dynamic.": "每个线程块的共享内存，静态与动态之和。",
  "Shortest call.": "最短的调用。",
  "Shortest part of one in the range.": "范围内单个的最短部分。",
  "Since the run's origin.": "自运行起点算起。",
  "Size of the block.": "内存块的大小。",
  "Size of the message: what a rank ends with for all_gather, what the root has for gather and scatter, else what a rank puts in; the largest among its ranks.":
    "消息的大小：all_gather 取 rank 最终得到的，gather 与 scatter 取根持有的，其他取 rank 输入的；取各 rank 中最大者。",
  "Slices that are at least partly in the range.": "有一部分在范围内的切片。",
  "Slices on it": "其上的切片数",
  "At least one collective runs, and nothing computes.": "有集合通信运行，且没有计算（未掩盖通信）。",
  "At least one kernel computes, and no collective runs.": "有内核在计算，且没有集合通信运行。",
  "Source file, if the frame names it": "源文件，若栈帧中有",
  "Stable name of the cause": "原因的固定名称",
  "Start of the recording, since the origin": "采集开始的时刻，自起点算起",
  "Steps whose device work was cut off by the beginning or the end of the recording":
    "设备任务被采集的开始或结束截断的 Step",
  "Steps recorded": "记录的 Step 数",
  "Steps that the means cover: kept and not empty": "计入平均的 Step：保留且非空",
  "Sum of the bytes of all allocations.": "所有分配的字节数之和。",
  "Sum of the bytes of all releases.": "所有释放的字节数之和。",
  "Table of the profile": "性能数据的表",
  "Devices that did any work": "执行过任务的设备",
  "Category that gives its colour in the chart": "图中以其颜色表示的类别",
  "The change as a share of the baseline.": "变化占基准的比例。",
  "The host fetches the next batch, and none of the above happens.":
    "主机在取下一批数据，且没有上述任何一种。",
  "The host is in a call that enqueues or waits for device work, and none of the above happens.":
    "主机处于下发或等待设备任务的调用中，且没有上述任何一种。",
  "The host range that launched it: an operator, an annotation or a step":
    "下发它的主机范围：算子、标注或 Step",
  "The host runs operators, the optimizer or annotated code, and none of the above happens.":
    "主机在运行算子、优化器或被标注的代码，且没有上述任何一种。",
  "The lanes that are summed.": "参与汇总的泳道。",
  "The largest of them.": "其中最大者。",
  "The most that the allocator held at once.": "分配器同一时刻持有的最大值。",
  "The most that was allocated at once.": "同一时刻已分配的最大值。",
  "The most that was allocated on a device at one time.": "设备上同一时刻已分配的最大值。",
  "The name of its calls as recorded": "其调用的记录名称",
  "Its name in a limit of `sightline diff --fail-on`": "`sightline diff --fail-on` 的限值所用的名称",
  "The node, the process on it, the device that it uses": "节点、其上的进程，以及进程所用的设备",
  "The operator that allocated it; if this operator only makes empty tensors, the range around it comes first":
    "分配它的算子；若该算子只创建空张量，则先取其外层范围",
  "The reader that read it": "读取它的读取器",
  "The row around it": "其外层的行",
  "The row it belongs to": "其所属的行",
  "Bus bandwidth of the fastest collective.": "最快一次集合通信的总线带宽。",
  "The share of the range during which anything was open on the lanes.": "范围内泳道上有活动的时间比例。",
  "Path from the whole run to it, as numbers of parts": "从整个运行到它的路径：各部分的编号",
  "The worker that computes longest": "计算最久的工作进程",
  "The worker that the others waited for longest": "被其他进程等待最久的工作进程",
  "The worker that the others waited for; on ties, the first": "被其他进程等待的工作进程；并列时取第一个",
  "Their share of the memory allocated at that time.": "占当时已分配内存的比例。",
  "Their size.": "其大小。",
  "Their time in the range, excluding slices directly inside them.":
    "其在范围内的时间，不含直接画在其内部的部分。",
  "Their time in the range.": "其在范围内的时间。",
  "Thread or stream id as the file writes it": "文件中所写的线程或流 id",
  "Thread or stream name": "线程或流的名称",
  "Threads in a block, per dimension": "线程块各维度的线程数",
  "Threads per warp": "每个 warp 的线程数",
  "Time 0 of this profile": "此性能数据的零时刻",
  "Time in these collectives.": "处于这些集合通信中的时间。",
  "Time in which data moved.": "传输数据的时间。",
  "Time in which its data moved.": "其数据传输的时间。",
  "Time of the kernels in scope.": "统计范围内内核的时间。",
  "Time of the whole recording.": "整个采集的时间。",
  "Time per call.": "每次调用的时间。",
  "Time per step.": "每个 Step 的时间。",
  "Time waiting for other ranks.": "等待其他 rank 的时间。",
  "Compare it with the bandwidth of a hardware link.": "可与硬件链路的能力相比较。",
  "Total allocated after the last event.": "最后一个事件之后的已分配总量。",
  "Total allocated before the first event: what the events do not account for.":
    "第一个事件之前的已分配总量：事件未能说明的部分。",
  "Wall as a share of the range.": "墙钟时间占范围的比例。",
  "What Lightning was doing, as Lightning names it": "Lightning 当时在做什么，用其自身的名称",
  "The ranges that match in both profiles; two names if the profiles name them differently":
    "两份性能数据中相对应的部分；名称不同时列出两个",
  "What is compared": "比较的内容",
  "What it does": "它的作用",
  "What the lane shows": "泳道显示的内容",
  "How much of it was allocated at the peak, or at the chosen moment.":
    "其中在峰值或所选时刻处于已分配状态的部分。",
  "What the block was most likely used for; the table by category gives the rules":
    "内存块最可能的用途；规则见按类别的表",
  "What the blocks have in common": "这些内存块的共同点",
  "Its name in the file": "文件中的称呼",
  "What the memory was most likely used for": "内存最可能的用途",
  "Sum of the parts up to this one.": "到此为止各部分的合计。",
  "Its name in the program, else its id": "训练程序对它的称呼，没有时用其名称",
  "Their names in the program": "训练程序对它们的称呼",
  "What the slices are: operator, kernel, Python function and so on": "切片是什么：算子、内核、Python 函数等",
  "What the time was spent on": "时间花在哪里",
  "What they are: operator, kernel, Python function and so on": "它们是什么：算子、内核、Python 函数等",
  "What was found and what Sightline did about it": "发现了什么，以及 Sightline 如何处理",
  "What was read": "读取的内容",
  "When it began, since the run's origin.": "开始的时刻，自运行起点算起。",
  "When it was allocated, since the run's origin.": "分配的时刻，自运行起点算起。",
  "When it was first reached, since the run's origin.": "首次达到的时刻，自运行起点算起。",
  "When it was released, since the run's origin; the allocator may keep it for reuse.":
    "释放的时刻，自运行起点算起；分配器可能保留以备复用。",
  "When, since the run's origin.": "时刻，自运行起点算起。",
  "Where its forward function is, as recorded in its longest call":
    "其 forward 函数的位置，取自最长的一次调用",
  "Where the operator was called": "算子被调用的位置",
  "part in the range": "范围内部分",
  "Whether call stacks were recorded for it": "是否记录了它的调用栈",
  "Whether its name comes from Sightline, not from the trace.":
    "其名称是否由 Sightline 所取，而非来自 trace。",
  "Whether something is inside it.": "其内部是否还有内容。",
  "Whether that call is known": "是否知道该调用",
  "Whether that view shows the details of this time": "该视图是否显示此时间的明细",
  "Whether the row represents calls, not a thread or frame": "该行是否代表调用，而非线程或栈帧",
  "Which module object, as recorded": "是哪个模块对象，按记录",
  "The profile that has it, if only one has it": "只有一方具有时，是哪一方",
  "Sequence number within the process group, as recorded": "在通信组内的序号，按记录",
  "Workers of the job": "作业的工作进程数",
  "Workers of this span, and ranks of the job as recorded": "此采集段的工作进程数，以及记录的作业 rank 数",
  "note, warning or error": "提示、警告或错误",

  // Memory by component.
  "Memory that the component had reserved on the device.": "该组件从设备取得的内存。",
  "Memory that the component had allocated.": "该组件已分配出去的内存。",
  "What held the memory, as named in the file": "谁持有内存，按文件中的名称",
  "The most memory that it had reserved at one time.": "同一时刻从设备取得的最大值。",
  "When that was first reached, since the run's origin; in a chosen range no earlier than its start.":
    "首次达到的时刻，自运行起点算起；选择了范围时不早于其开始。",
  "The most memory that it had allocated at one time.": "同一时刻已分配出去的最大值。",
  "The most memory that it had allocated, or kept for a stream that still uses it.":
    "已分配出去、或因仍有流在使用而保留的最大值。",
  "Records in the recording, or in the chosen range.": "采集中或所选范围内的记录数。",
  "what the file holds of the component": "文件中关于该组件的内容",
  "the component's records; a value holds until the next": "该组件的记录；每个值保持到下一个",

  // What differs by device.
  "Where blocks and warps per core and occupancy come from: the file; computed from the launch and the properties of the device; or only the occupancy is computed, or unknown, because the file says that it is 0":
    "每核线程块数、线程束数与占用率的来源：文件；按启动参数与设备属性计算；或仅占用率为计算所得或未知，因为文件称其为 0",
  "Warps of the grid per multiprocessor.": "网格中每个多处理器的线程束数。",
  "What was counted in all ranges of the row.": "该行所有区间的计数之和。",
  "What was counted in a range, on average.": "每个区间的平均计数。",
  "Name of the range, or of the kernel if each kernel was a range":
    "区间的名称；每个内核为一个区间时即内核名称",
  "Ranges of this name.": "此名称的区间数。",

  // Kernels by type and core, one by one, and the calls of the runtime.
  "Which kernels took the device's time, on which cores, and how well they filled it.":
    "哪些内核占用了设备的时间、在哪些核上，以及对设备的利用程度。",
  "Which calls of the runtime and the driver took the host's time.":
    "运行时与驱动的哪些调用占用了主机的时间。",
  "Value that the profiler states for the kernel.": "采集工具对该内核的说明。",
  "Value that the profiler states for the calls, on average.": "采集工具对这些调用的说明，取平均。",
  "The step it belongs to.": "其所属的 Step。",
  "When it started, since the run's origin.": "开始的时刻，自运行起点算起。",
  "How long it ran.": "运行的时长。",
  "The stream it ran on": "其运行所在的流",
  "Blocks of the grid per multiprocessor.": "每个多处理器分到的线程块数。",
  "Active warps per multiprocessor as a share of the most it can hold.":
    "每个多处理器上活跃 warp 占其上限的比例。",
  "Row of slices": "切片的行号",
  "Row of slices, or none": "切片的行号，或无",
  "Kind of work, as the file names it": "任务的种类，按文件中的名称",
  "Kind of core or engine that ran it, as the file names it": "运行它的核或引擎的种类，按文件中的名称",
  "Kind of core or engine, as the file names it": "核或引擎的种类，按文件中的名称",
  "Parts that the kernel was divided into, each for a core.": "内核被划分成的份数，每份对应一个核。",
  "How many kernels ran on it.": "在其上运行的内核数。",
  "Time of the kernels on it.": "在其上的内核时间。",
  "Number of kernels of this type on this kind of core.": "该类型的内核在此种核上运行的次数。",
  "Time of all of them.": "其全部的时间。",
  "Share of the time of all kernels.": "占所有内核时间的比例。",
  "Average time of one.": "单个的平均时间。",
  "The longest.": "最长者。",
  "The shortest.": "最短者。",
  "Name of the call": "调用的名称",
  "Layer of software that it belongs to, as the file names it": "其所属的软件层，按文件中的名称",
  "Time in it, including calls inside it.": "在其中的时间，包含内部的调用。",
  "Time in it, excluding calls inside it.": "在其中、且不在其内部调用中的时间。",
  "Share of the self time of all calls.": "占所有调用自身时间的比例。",
  "Share of the sum of all totals, in which calls inside other calls count twice.":
    "占所有总计之和的比例；位于其他调用内部的调用会计两次。",
  "Average time of a call.": "每次调用的平均时间。",
  "Device work that it enqueued.": "由其入队的设备任务。",
  "Only kernels of this type, as the file names it": "只看此类型的内核，按文件中的名称",
  "Only kernels that ran on this kind of core, as the file names it":
    "只看在此种核上运行的内核，按文件中的名称",
  "Only kernels that are known to run on matrix units, or not to, or for which this is unknown":
    "只看已知在矩阵单元上运行、已知不在其上运行，或无法判断的内核",
  "Part of the call's name, in any letter case": "调用名称的一部分，不分大小写",
  "How many calls the chart shows before the rest": "图中单独显示的调用数，其余合并",

  // The parts of a step on the device.
  "From the step's start on the host until its first work on the device.":
    "从 Step 在主机上开始，到其在设备上的第一个任务。",
  "Time with at least one kernel computing.": "有内核在计算。",
  "Computing and communicating at the same time: this part of the communication costs no time.":
    "计算与通信同时进行：通信被掩盖、不占额外时间的部分。",
  "Time with at least one collective running.": "有集合通信运行。",
  "The step on the device, without waiting to receive from another pipeline stage.":
    "Step 在设备上的时间，不含等待从其他流水级接收。",
  "Receiving from another pipeline stage, including the wait for it.": "从其他流水级接收，包含等待。",
  "Communication that nothing hides, other than receives.": "没有被掩盖的通信，不含接收。",
  "computed: from slices; stated: by the file itself; both: computed, and the file states the same":
    "由切片计算；文件所述；或两者一致",
  "What the device did in each step, from the step's start on the host to where its next work begins.":
    "设备在每个 Step 中做了什么，从 Step 在主机上开始到其下一个任务开始。",
  "Iteration number as recorded; all: no steps were recorded": "记录的迭代号；all 表示没有记录 Step",

  // Losses.
  "The log's file name.": "日志的文件名。",
  "The loss that this log gives for the iteration; the last one if it gives several.":
    "此日志中该迭代的损失值；有多个时取最后一个。",
  "Lines with an iteration and a loss.": "含有迭代号与损失值的行。",
  "Different iterations; fewer than points if the log has some iterations more than once, as after a restart.":
    "不同的迭代数；日志中有重复迭代时（如重启之后）少于数据点数。",
  "Points whose loss is nan, inf or beyond a double's range.": "损失值为 nan、inf 或超出双精度范围的数据点。",
  "Lines that were left out because a tag or the number after it is missing.":
    "因缺少标签或其后的数字而未计入的行。",
  "The lowest iteration.": "最小的迭代号。",
  "The highest iteration.": "最大的迭代号。",
  "The loss of the highest iteration.": "最大迭代号的损失值。",
  "The lowest loss.": "最小的损失值。",
  "How much higher the compared loss is.": "对比的损失值高出多少。",
  "Size of the difference.": "差值的绝对值。",
  "Size of the difference, as a share of the base.": "差值的绝对值占基准的比例。",
  "Iterations with a number in both logs.": "两份日志都有数值的迭代。",
  "Whether the compared run is higher on average.": "对比的运行总体上是否更高。",
  "Average size of the difference.": "差值绝对值的平均。",
  "The same as a share of the base.": "同上，占基准的比例。",
  "The worst iteration.": "相差最大的迭代。",
  "Where the largest absolute error is; on ties, the first iteration.":
    "绝对误差最大的位置；并列时取第一个。",

  // Parameters.
  "Only calls inside a module of this name, as recorded": "只看此名称的模块内的调用，按记录的名称",
  "Only calls that start inside the host range of the step of this number":
    "只看在此编号 Step 的主机范围内开始的调用",
  "Only kernels launched by a host range of this name, or inside one":
    "只看由此名称的主机范围（或在其内部）下发的内核",
  "Only kernels launched in the step of this number": "只看在此编号的 Step 中下发的内核",
  "Only kernels of the device of this number": "只看此编号设备的内核",
  "Only the step of this number; else means over the steps of each worker":
    "只看此编号的 Step；否则为各工作进程各 Step 的平均",
  "Only what was allocated or released before this time, in ns": "只看此时刻之前分配或释放的，单位 ns",
  "Only what was allocated or released from this time on, in ns": "只看从此时刻起分配或释放的，单位 ns",
  "Only what was allocated or released inside the host range of the step of this number":
    "只看在此编号 Step 的主机范围内分配或释放的",
  "Part of the kernel's or the operator's name, in any letter case": "内核或算子名称的一部分，不分大小写",
  "Part of the operator's name, in any letter case": "算子名称的一部分，不分大小写",
  "Row of the operator call whose stack it is": "该调用栈所属的算子调用的行号",
  "Row of the slice that is shown first": "首先显示的切片的行号",
  "Text to search for in the names of slices": "在切片名称中搜索的文本",
  "The input shapes as shown; empty: no shapes were recorded": "所显示的输入形状；空表示没有记录",
  "The moment whose live allocations are listed, in ns; empty is the peak":
    "列出存活分配的时刻，单位 ns；空为峰值",
  "The operator's whole name": "算子的完整名称",
  "The outermost module whose flame graph is shown; empty: all of them": "显示其火焰图的最外层模块；空为全部",
  "The part shown, as a path such as 0-3; empty: the whole run":
    "查看的部分，以 0-3 这样的路径表示；空为整个运行",
  "Which calls are one row": "怎样的两次调用合为一行",
  "How live blocks are grouped; without recorded call stacks, a stack consists of the ranges around the allocation":
    "存活内存块的分组方式；没有记录调用栈时，以外层各范围代替",
  "What the map of workers by steps is coloured by": "各工作进程各 Step 热力图的着色依据",
  "What the rows are": "各行是什么",
  "What the width of a box means; without device activity it is host time":
    "方块宽度的含义；没有设备活动时为主机时间",
  "End of the range; empty: the end of the last slice": "结束的位置；空为最后一个切片处",
  "Start of the range; empty: the start of the first slice": "范围开始的位置；空为第一个切片处",
  "Whether a box represents all calls, or the average per call of the outermost box around it":
    "方块代表所有调用，还是其最外层的一次调用",
  "Whether the input shapes must match too": "输入形状是否也必须一致",
  "Which thread's calls; empty: all threads": "哪个线程的调用；空为所有线程",
  "The time that the charts show, and whose difference sorts the operators; without device activity, host time":
    "图表显示的时间；算子按其差值排序；没有设备活动时为主机时间",
  "The device whose memory is shown (default: the first accelerator)":
    "谁的内存：除非指定，否则为第一个加速器",
  "The query: one SELECT": "问题：一条 SELECT",
  "Number of the log that the other is compared with": "作为基准的日志的编号",
  "Number of the other log": "另一份日志的编号",

  // Of several sentences.
  "Collective kernels are communication, not kernel. The TensorBoard plugin counts too much when every step is fully busy.":
    "集合通信的内核计入通信，不计入内核。当每个 Step 都完全忙碌时，TensorBoard 插件会多计。",
  "Covers all kernels: the TensorBoard plugin leaves out those that no operator launched, such as those of a replayed graph. Unknown, not 0, where names do not say; knows the names of newer kernels.":
    "取全部内核：TensorBoard 插件不计没有算子下发的内核，例如重放的图中的内核。名称无法判断时为未知而非 0；识别较新内核的名称。",
  "Unknown where only the names of its kernels do not say. The TensorBoard plugin shows the flag of the first call only.":
    "只有其内核的名称无从判断时为未知。TensorBoard 插件只显示首次调用的标志。",
  "Operations per second of each, over its operations per byte of device memory. No point can be above the lines.":
    "每项的计算速度，对应其每字节设备内存的运算量。任何点都不可能高于这些线。",
  "Counters were read for ranges. The start and end of a range were not measured, so no time includes it.":
    "计数器按区间读取。区间的起止时间并未测量，因此不计入任何时间。",
  "What each rank sent to each other rank, as stated in the files. A slow link shows as one outlying cell, a slow network card as a row or a column.":
    "每个 rank 向其他各 rank 发送的内容，按文件所述。慢链路突出为一个单元格，慢网卡突出为一行或一列。",
  "The parts of the time in collectives, as stated in the files. Collectives that run at the same time are counted separately.":
    "文件所述集合通信时间的构成。并行的集合通信分别计入。",
  "Time in which they moved. Links work in parallel, so this may exceed the transit time of the collectives.":
    "传输它们的时间。各链路并行工作，因此可能超过集合通信的传输时间。",
  "At least one kernel computes, and no collective runs. For a worker without kernels: the host is in an operator.":
    "有内核在计算，且没有集合通信运行。对没有内核的工作进程：主机处于算子中。",
  "How long others waited for this worker: the sum of their waits in collectives in which it arrived last. Ranks that wait at the same time are counted separately.":
    "其他进程等待此工作进程的时长：在它最后到达的集合通信中，各进程等待时间之和。同时等待的 rank 分别计入。",
  "The part of these in which it arrived later than chance explains: its time in the collective is an outlier below the times of the other ranks. Needs at least three ranks, and all ranks of the group.":
    "其中，到达得比偶然所能解释的更晚者：其处于其中的时间是低于其他 rank 的离群值。需要三个 rank，且为该组的全部。",
  "The rank that communicates shortest is often the slow one: the others wait in collectives for it. See which worker the others waited for, then check its computing, its host and its links.":
    "通信时间最短者往往是慢的：其他 rank 在集合通信中等它。先看在等谁，再看该工作进程的计算、主机与链路。",
  "Between nodes, look at the network (congestion, cables, which card the rank uses, settings of RDMA); within a node, at the topology and at copies that run beside kernels. The map of links shows which pair it is.":
    "节点间请检查网络（拥塞、线缆、rank 所用网卡、RDMA 设置）；节点内请检查拓扑以及与内核同时运行的拷贝。链路图显示是哪一对。",
  "Unrecorded garbage collection looks like this: try gc.disable() during steps, or record it (gc_detect_threshold). Otherwise, look for input, logging or checkpoints.":
    "没有记录垃圾回收时它看起来就是这样：可尝试在 Step 期间调用 gc.disable()（并以 gc_detect_threshold 记录它）。否则请查看输入、日志或检查点。",
  "The device neither computes nor communicates: it copies, waits for the host, or idles. The gap after a step's last work belongs to that step, although it overlaps Preparing of the next step.":
    "设备既不计算也不通信：在拷贝、等待主机，或空闲。Step 最后一个任务之后的空隙计入该 Step，虽然它延伸到下一个 Step 的准备之中。",
  "Steps are matched by position. Inside a step, modules of one name, data loading and optimizer are matched in order (a longest common subsequence); the operators between two of these, and the backward pass there, are one part each. If there are none of these, calls of one name are matched in order. Ranges of other threads belong to the step in which they begin.":
    "Step 按位置对应。在 Step 内部，同名模块、数据加载与优化器按顺序对应（最长公共子序列）；两者之间的算子以及其中的反向各为一部分。没有这些时，同名调用按顺序对应。其他线程的范围归属于其开始时所在的 Step。",
};
