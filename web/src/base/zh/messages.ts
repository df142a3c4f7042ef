// Texts without values of errors, of problems of files, and of recording.
import type { TextSaid } from "./templates_said";

export const messages = {
  "1 process found": "1 个进程在询问",
  "1 step ended before the recording of devices began and is left out":
    "1 个 Step 在开始记录设备之前已结束，不计入",
  "1 step ended before the recording of devices began and is left out.":
    "1 个 Step 在开始记录设备之前已结束，不计入。",
  "DMA packets": "DMA 包",
  "DMA packets that were still running at the end of the recording were left out":
    "采集结束时尚未结束的 DMA 包没有计入",
  "S3_ENDPOINT names a server of your own": "S3_ENDPOINT 可指定自己的服务器",
  "Steps may end before their work does: the file does not say to which step the programs that ran on host threads belong.":
    "Step 可能早于其工作结束：文件没有说明在主机线程上运行的程序属于哪个 Step。",
  "The trace has no step marks: each step here is the time of the kernels with its number in the table of kernels.":
    "trace 没有标记 Step：此处每个 Step 是内核表中具有其编号的内核的时间。",
  "a B event has no E event; it is shown until the last time in the file":
    "有 B 事件没有对应的 E 事件；显示到文件中的最后时刻",
  "a Riegeli file of a continuous capture, which Sightline does not read: save a snapshot as .xplane.pb":
    "连续采集的 Riegeli 文件，本程序不读取：请把快照保存为 .xplane.pb",
  "a capture is already running; only one can run at a time": "已有采集正在进行：一次只能进行一个",
  "a cell that should be a number is not one; it counts as unknown": "应为数字的单元格不是数字；按未知计",
  "a column is not as it was written": "有列与写入时不同",
  "a compiled model: it contains no recording. Record it (neuron-explorer capture, or inspect) and open the profile (.ntff); a model beside it is read with it":
    "这是编译后的模型：它说明将要运行什么，而不是运行了什么。请先采集（neuron-explorer capture 或 inspect）再打开性能数据（.ntff）；位于其旁的模型会一并读取",
  "a counter has more than 1,000 series, or very long names, in one event; those beyond are left out":
    "有计数器在一个事件中含有超过 1,000 个序列或很长的名称，超出部分已略去",
  "a database without any table of an Ascend profile": "数据库中没有 Ascend 采集数据的任何表",
  "a duration is 1 ms to 10 minutes": "时长为 1 毫秒到 10 分钟",
  "a field has a type that protocol buffers do not have": "有字段的类型是 protocol buffers 所没有的",
  "a field is longer than its message": "有字段长于其所在的消息",
  "a file has a path and a size": "文件应有路径和大小",
  "a file of an upload has a number": "上传的文件应有编号",
  "a greeting is truncated": "问候消息不完整",
  "a header whose checksum is wrong": "头部的校验和错误",
  "a line is not `start_us duration_us thread name`; it was skipped":
    "有行不是 `start_us duration_us thread name`，已跳过",
  "a marker's name is a text": "标记的名称应为文本",
  "a marker's time is an integer of ns, at most 2^53": "标记的时间应为以 ns 为单位的整数，不超过 2^53",
  "a member whose size is not a number": "有成员的大小不是数字",
  "a name of more than 64 KiB": "有名称超过 64 KiB",
  "a negative duration was read as 0": "负的时长按 0 读取",
  "a number of more than ten bytes": "有数字超过十个字节",
  "a poll is truncated": "轮询消息不完整",
  "a profiler server records for a time, not for a number of iterations":
    "剖析服务器按时间采集，而不是按迭代数",
  "a quote is never closed; its line was skipped": "有引号没有闭合，其所在行已跳过",
  "a request that changes something needs Content-Type: application/json":
    "更改内容的请求需要 Content-Type: application/json",
  "a row has fewer cells than the header; the others count as unknown":
    "有行的单元格少于表头；缺少的按未知计",
  "a row of TASK or COMMUNICATION_OP repeats another row: it is counted once":
    "TASK 或 COMMUNICATION_OP 的某一行与另一行内容相同：不重复计数",
  "a row of more than 4096 cells or 16 MiB was skipped": "有行超过 4096 个单元格或 16 MiB，已跳过",
  "a row of the answer has more than 16 MB": "结果中有行超过 16 MB",
  "a row without a time was skipped": "有行缺少定位所需的内容，已跳过",
  "a set of markers needs a name": "标记集需要名称",
  "a text in the header contains an invalid character": "头部的文本含有无效字符",
  "a time is more than a day away from all slices: the files belong to several recordings":
    "有时间与所有切片相距超过一天：这些文件来自多次采集",
  "a time was rounded by a spreadsheet (as in 1.69512E+15) and has lost its digits; it counts as unknown":
    "有时间被电子表格软件舍入（如 1.69512E+15）而失去意义；按未知计",
  "a token is required: open the address that the program printed": "需要令牌：请打开程序打印出的地址",
  "a value extends beyond the end of its message": "有值超出了其消息的末尾",
  "an event is longer than 104 days; it is shown as an instant": "事件长于 104 天；显示为瞬时事件",
  "a value that should be a number is not one; it counts as unknown": "应为数字的值不是数字；按未知计",
  "a window needs start < end": "窗口要求 start < end",
  "a window needs start < end and pixel >= 1": "窗口要求 start < end 且 pixel >= 1",
  "access denied": "访问被拒绝",
  "an E event has no B event before it on its thread": "有 E 事件在其线程上之前没有对应的 B 事件",
  "an address is HOST:PORT, such as localhost:9999": "地址为 HOST:PORT，例如 localhost:9999",
  "an end is before its beginning: the length is taken as 0": "有结束早于其开始：时长按 0 计",
  "an end without a beginning was left out": "只有结束而没有开始的记录没有计入",
  "an escape sequence that JSON does not know was kept as written": "有 JSON 不认识的转义序列，按原样保留",
  "an event has no duration; it is shown as an instant": "有事件没有时长；显示为一个时刻",
  "an event has no name; it is shown as (unnamed)": "有事件没有名称；显示为 (unnamed)",
  "an event has no start time and was skipped": "有事件没有开始时间，已跳过",
  "an event is longer than 16 MiB and was skipped": "有事件长于 16 MiB，已跳过",
  "an event is not well-formed JSON and was skipped": "有事件不是格式正确的 JSON，已跳过",
  "an event of an unknown phase was not shown": "有事件的 ph 类型未知，没有显示",
  "at the beginning": "开头",
  "attributing device work": "正在归属设备任务",
  "behind the name of a section": "区段名称之后",
  "building tables": "正在建表",
  "bytes after the last whole record of a unit were left out": "单元最后一条完整记录之后的字节没有计入",
  "cannot be read": "无法读取",
  "cannot be written": "无法写入",
  "cannot create a socket": "无法创建套接字",
  "cannot create a socket there": "无法在此创建套接字",
  "cannot create the folder": "无法创建文件夹",
  "cannot read the markers": "无法读取标记",
  "cannot start a thread to record": "无法启动采集线程",
  "cannot write": "无法写入",
  "captures that launch a graph themselves cannot be matched to launches":
    "有捕获自身又启动了图，无法与启动匹配",
  "captures that the recording does not show to their end cannot be matched to launches":
    "有捕获在采集结束时尚未完成，无法与启动匹配",
  "changes of semaphores": "信号量的变化",
  "checksum is wrong": "校验和错误",
  "compressed data ends in the middle": "压缩数据中途结束",
  "compressed data is damaged": "压缩数据已损坏",
  "could not be written completely": "未能完整写入",
  "counter events without a number were left out": "没有给出数值的计数器事件没有计入",
  "events of the runtime that were still running at the end of the recording were left out":
    "采集结束时尚未结束的运行时事件没有计入",
  "events whose bytes are damaged were left out": "字节损坏的事件没有计入",
  "events with an impossible time were left out": "时间不可能成立的事件没有计入",
  "expected the name of a section": "应为区段的名称",
  "give a path": "请给出路径",
  "graphs were launched whose device work is not in the file; what the device did meanwhile is unknown":
    "启动了图，但文件中没有其设备任务；设备在此期间做了什么未知",
  "has no duration": "没有时长",
  instructions: "指令",
  "instructions name stack frames or lines of a kernel that are not in its tables: their source is not known":
    "指令所指的栈帧或内核源码行不在表中：其源码位置未知",
  "instructions that ran during the program but are not part of it were left out":
    "程序运行期间执行的、不属于程序的指令没有计入",
  "instructions that were still running at the end of the recording are drawn to its end":
    "采集结束时尚未结束的指令：画到采集结束为止",
  "is a directory": "是一个目录",
  "is a folder": "是一个文件夹",
  "is not a cloud address": "不是云存储地址",
  "is not a regular file": "不是普通文件",
  "is not in the trace": "不在 trace 中",
  "it began but did not record: torch.profiler in it took over, or its own log has the reason":
    "已开始但没有采集：被它自己的 torch.profiler 接管，或原因见它自己的日志",
  "it cannot be read at any position": "无法在任意位置读取它",
  "it comes from a table, not from a trace": "它来自表，而非 trace",
  "it comes from sums, not from a trace": "它来自汇总，而非 trace",
  "it contains no file of an Ascend profile": "其中没有 Ascend 性能数据的文件",
  "it contains no file of the TensorBoard plugin's log": "其中没有 TensorBoard 插件日志的文件",
  "it contains raw data that is not analysed yet: run torch_npu.profiler.profiler.analyse(folder), or msprof --export=on, on a machine with the profiler":
    "其中是尚未解析的原始数据：请在装有性能分析器的机器上运行 torch_npu.profiler.profiler.analyse(folder)，或 msprof --export=on",
  "it ended": "已结束",
  "it ended before its recording was complete": "采集完成前已结束",
  "it has not imported torch": "它没有导入 torch",
  "it holds no events": "其中没有事件",
  "it holds none of the sections of a profile": "其中没有性能数据的任何区段",
  "it is being recorded already, by torch.profiler in it or by another capture; waiting for the end of that recording":
    "已在采集中，由它自己的 torch.profiler 或其他程序进行；等待其结束",
  "it is being recorded already: one at a time": "已在采集中：一次只能进行一个",
  "it is not JSON": "它不是 JSON",
  "it received the request but did not start: its own log has the reason":
    "收到请求但没有执行：原因见它自己的日志",
  "it speaks gRPC but has no ProfilerService: is this the port of the profiler server?":
    "是 gRPC，但没有 ProfilerService：这是剖析服务器的端口吗？",
  "it was busy with another recording; gave up": "一直忙于另一次采集，已放弃",
  "it was started without KINETO_USE_DAEMON=1": "启动时没有设置 KINETO_USE_DAEMON=1",
  "its torch recorded no allocations; releases so far do that in torch.profiler only":
    "它的 torch 没有记录内存分配；目前的版本只有 torch.profiler 会记录",
  "joining tables": "正在合并各表",
  "kernels have no cores, shapes and counters": "内核没有核类型、形状与计数器",
  "kernels have no names, cores and shapes": "内核没有名称、核和形状",
  "kernels with more registers than any device has: their registers and shared memory count as unknown":
    "声明的寄存器数超过任何设备：这些内核的寄存器和共享内存视为未知",
  "launches of graphs were not matched: different recorded captures fit them":
    "有图的启动未能匹配：有不同的已记录捕获都与之相符",
  "launches of graphs were not matched: no recorded capture has as many calls as they have pieces of device work":
    "有图的启动未能匹配：没有已记录的捕获具有同样多的调用",
  "launches of graphs were not matched: the recorded captures with as many calls launch other kernels":
    "有图的启动未能匹配：调用数相同的捕获启动的是其他内核",
  "launches of graphs were not matched: they ran on several streams, and the file has neither ids of graph nodes nor the names of the captured kernels":
    "有图的启动未能匹配：它们在多条流上运行，而文件既没有图节点的编号，也没有所捕获内核的名称",
  "made by a newer compiler: it uses unknown features": "由更新的编译器生成：它使用了未知的特性",
  "matching graphs to their captures": "正在将图与其捕获匹配",
  "members of the root object that are longer than 16 MiB, alone or together, were left out":
    "根对象中单个或合计长于 16 MiB 的成员已略去",
  "memory releases with neither a size nor a recorded allocation were left out":
    "既没有给出大小、也没有对应已记录分配的内存释放没有计入",
  "more than 100,000 members": "成员超过 100,000 个",
  "move the signature (after '?') from the address to AZURE_STORAGE_SAS_TOKEN: addresses are shown and stored":
    "请把签名（'?' 之后的部分）从地址移到 AZURE_STORAGE_SAS_TOKEN：地址会被显示和保存",
  "names no bucket": "没有指定存储桶",
  "names no container: abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH":
    "没有指定容器：abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
  "names of events are not known, and their numbers are shown instead": "事件的名称未知，改为显示其编号",
  "names, texts and events of more than 16 MiB, and compiled programs of more than 256 MiB, were left out":
    "超过 16 MiB 的名称、文本与事件，以及超过 256 MiB 的编译后程序没有计入",
  "neither a file nor a directory: save it to a file first": "既不是文件也不是目录：请先保存为文件",
  "neither a poll nor a greeting": "既不是轮询也不是问候",
  "no HTTP answer in time": "未及时应答，或应答不是 HTTP",
  "no answer in time": "未及时应答",
  "no client is waiting for the answer": "没有客户端在等待结果",
  "no data arrived in time": "未及时收到数据",
  "no event begins here": "这里没有事件开始",
  "no gRPC server answers there: is a profiler server running on this port?":
    "没有 gRPC 服务应答：这个端口上有剖析服务器在运行吗？",
  "no host, no steps, and nothing to attribute kernels to": "没有主机、没有 Step，也没有可归属内核的对象",
  "no instruction marks the start of the program: times count from the first recorded instruction, and earlier work of the runtime cannot be separated":
    "没有指令标明程序从何处开始：时间从第一条记录算起，无法区分此前运行时的活动",
  "no line begins here": "这里没有行开始",
  "no memory of operators": "没有算子的内存",
  "no memory of the allocators over time": "没有分配器随时间的内存",
  "no operator ran while it was recorded": "采集期间没有运行任何算子",
  "no operator ran while it was recorded; recording again": "采集期间没有运行任何算子；再次采集",
  "no process found yet": "尚无进程询问",
  "no profile": "没有性能数据",
  "no profile was given": "没有给出性能数据",
  "no record begins here": "这里没有记录",
  "no result in time; gave up": "未能及时收到结果，已放弃",
  "no row begins here": "这里没有行开始",
  "no such file or directory": "没有这样的文件或目录",
  "no such folder": "没有这个文件夹",
  "no such route: vLLM has it if it was started with --profiler-config or VLLM_TORCH_PROFILER_DIR, SGLang always has it":
    "没有这个路由：vLLM 以 --profiler-config 或 VLLM_TORCH_PROFILER_DIR 启动时才有，SGLang 始终有",
  "no sums of steps by the vendor": "没有厂商给出的各 Step 汇总",
  "no times of waiting and data transfer in collectives": "没有集合通信等待与传输的时长",
  "not JSON: expected a member of the root object": "不是 JSON：应为根对象的成员",
  "not a trace: expected '{' or '['": "不是 trace：应为 '{' 或 '['",
  "not a trace: the root object has no traceEvents": "不是 trace：根对象中没有 traceEvents",
  "not an address such as http://localhost:8000": "不是 http://localhost:8000 这样的地址",
  "not asked": "没有请求",
  "not enough memory for this view": "内存不足，无法计算此视图",
  "not enough memory to open this": "内存不足，无法打开",
  "not enough memory to read this file": "内存不足，无法读取此文件",
  "not enough memory to record": "内存不足，无法采集",
  "not one batch": "不是一个批次",
  "nothing ran while it was recorded": "采集期间没有运行任何内容",
  "nothing was recorded": "没有采集到任何内容",
  "of https addresses, only blobs of Azure are read: https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH":
    "https 地址中只读取 Azure 的 blob：https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH",
  "only one statement is allowed: text follows the first one": "只允许一条语句：第一条之后还有内容",
  "other bytes follow the compressed data": "压缩数据之后还有其他字节",
  "parameters (?) have no value here": "参数（?）在此没有值",
  "places before the start of the program at which the device had no room for a record: no data of the program is missing":
    "程序开始之前设备没有空间写入记录的位置：程序本身并不缺少内容",
  queued: "排队中",
  "raw control characters inside strings were read as blanks": "字符串中的原始控制字符按空白读取",
  reading: "正在读取",
  "reading events": "正在读取事件",
  "reading names": "正在读取名称",
  "reading operators": "正在读取算子",
  "reading records": "正在读取记录",
  "reading the compiler's log": "正在读取编译器日志",
  "reading the database": "正在读取数据库",
  "it is not a JSON object": "不是 JSON 对象",
  "it is not a list of JSON texts": "不是 JSON 文本的列表",
  "entries of the compiler's log beside the file are not JSON; they were skipped":
    "文件旁的编译器日志中有条目不是 JSON；已跳过",
  "entries of the compiler's log beside the file are of another rank; they were skipped":
    "文件旁的编译器日志中有条目属于另一个 rank；已跳过",
  "compiled regions are not in the compiler's log beside the file; it may be the log of another run":
    "文件旁的编译器日志中没有这些编译的区域；它可能是另一次运行的日志",
  "records of a unit without a public layout (collectives, a second physical core) were left out: Sightline reads them from the tables of the vendor's tool (view --output-format parquet)":
    "布局未公开的单元（集合通信、第二个物理核）的记录没有计入：厂商工具的表（view --output-format parquet）包含它们，可以读取",
  "records of a unit without a usable clock were left out": "没有可用时钟的单元的记录没有计入",
  "records of undocumented types were left out: Sightline reads them from the output of the vendor's tool (view --output-format json, or parquet)":
    "类型未公开的记录没有计入：请让厂商工具写出它所知的内容（view --output-format json 或 parquet），可以读取",
  "records that overlap those of another unit were left out": "与其他单元的记录重叠的记录没有计入",
  "rows that are not JSON were left out": "不是 JSON 的行没有计入",
  "rows without a time were left out": "没有时间的行没有计入",
  "see AZURE_STORAGE_CONNECTION_STRING": "见 AZURE_STORAGE_CONNECTION_STRING",
  "see HADOOP_USER_NAME, or run: kinit": "见 HADOOP_USER_NAME，或运行：kinit",
  "send the logs as a form (multipart/form-data) with files named log":
    "请以表单（multipart/form-data）发送日志，文件名为 log",
  "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE":
    "请设置 AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY，或 AWS_PROFILE",
  "set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY, or AZURE_STORAGE_SAS_TOKEN, or run: az login":
    "请设置 AZURE_STORAGE_CONNECTION_STRING、AZURE_STORAGE_KEY 或 AZURE_STORAGE_SAS_TOKEN，或运行：az login",
  "set GOOGLE_APPLICATION_CREDENTIALS to a file of credentials, or run: gcloud auth application-default login":
    "请把 GOOGLE_APPLICATION_CREDENTIALS 设为凭据文件，或运行：gcloud auth application-default login",
  "shorter than the head of a message": "短于消息的头部",
  "simulated: no device ran, so no time here was measured": "模拟：没有设备运行，因此这里的时间都不是测量值",
  "steps may end before their work does: the file does not say to which step the programs that ran on host threads belong":
    "Step 可能早于其工作结束：文件没有说明在主机线程上运行的程序属于哪个 Step",
  "still loading": "仍在加载",
  "stopped before its answer arrived": "没有等待它的应答",
  "strings contain bytes that are not UTF-8; they are shown as U+FFFD":
    "字符串中有非 UTF-8 的字节；显示为 U+FFFD",
  "the answer is not a ProfileResponse": "应答不是 ProfileResponse",
  "the archive ends before its last member": "归档在其最后一个成员之前就结束了",
  "the body has no list of files": "请求体没有文件列表",
  "the body is not JSON": "请求体不是 JSON",
  "the body is not a JSON object": "请求体不是 JSON 对象",
  "the call was cancelled": "已放弃调用",
  "the connection broke, also when retried": "连接中断，重试后仍然中断",
  "the device reported errors during the run: see the lane Errors": "运行期间设备报告了错误：见泳道 Errors",
  "the device reported errors during the run; their codes are not documented, so they are only counted: Sightline reads their names from the tables of the vendor's tool (view --output-format parquet)":
    "运行期间设备报告了错误；其代码含义未公开，因此只计数：厂商工具的表（view --output-format parquet）给出其名称，可以读取",
  "the disk of the server is full": "服务器的磁盘已满",
  "the engine has written its traces on its own disk: to VLLM_TORCH_PROFILER_DIR or torch_profiler_dir for vLLM; use --traces FOLDER to give the path of that folder on this machine":
    "引擎把跟踪文件写到了自己的磁盘上：vLLM 写到 VLLM_TORCH_PROFILER_DIR 或 torch_profiler_dir；请说明从这里看它在何处",
  "the engine is still writing: the files may be incomplete": "引擎仍在写：文件可能不完整",
  "the engine writes its files": "引擎正在写文件",
  "the event ends with the file": "事件随文件一起结束",
  "the file contains no plane of a profile": "文件中没有性能数据的 plane",
  "the file contains only blanks": "文件只有空白",
  "the file continues after the end of the trace; that part was not read":
    "追踪结束之后文件仍有内容；这部分未读取",
  "the file ends among its members after the events; all events were read":
    "文件在事件之后的成员中结束；所有事件均已读取",
  "the file ends before its first operator": "文件在其第一个算子之前就结束了",
  "the file ends before its list of events does; everything before it was read":
    "文件在事件列表结束之前就结束了；之前的内容均已读取",
  "the file ends before its list of operators does; those before it were read":
    "文件在算子列表结束之前中断；此前的算子已读取",
  "the file ends before its traceEvents": "文件在 traceEvents 之前就结束了",
  "the file ends early: the rest is missing": "文件提前结束：缺少其余内容",
  "the file ends in the middle of an event; everything before it was read":
    "文件在事件中间结束；之前的内容均已读取",
  "the file ends inside a message": "文件在一条消息中间结束",
  "the file ends inside its first 128 bytes": "文件在其前 128 字节内就结束了",
  "the file ends inside the header of 1024 bytes": "文件在 1024 字节的头部之内就结束了",
  "the file ends inside the record": "文件在记录之内就结束了",
  "the file ends inside the records: the rest is missing": "文件在记录之内就结束了：缺少之后的内容",
  "the file has changed since it was read": "文件在读取之后已变化",
  "the file has no event for this slice": "文件中没有此切片的事件",
  "the file has no header": "文件没有表头",
  "the file holds more than one core's execution; only the first graph of a core is decoded: convert the file to JSON with the vendor's tool (view --output-format json)":
    "文件包含的内容多于一个核所执行的；只解码一个核的第一个图：请用厂商工具把它写成 JSON（view --output-format json）",
  "the file is being written": "文件正在写入",
  "the file is being written; it is read again when it stops changing":
    "文件正在写入，待其不再变化后会重新读取",
  "the head of a file is sent before the file, if it is sent alone": "仅当文件单独发送时，才先发送其开头",
  "the file is empty": "文件为空",
  "the file is larger than 1 MB": "文件大于 1 MB",
  "the file is longer than 64 MiB": "文件超过 64 MiB",
  "the file was deleted; this is its last reading": "文件已不存在，以下是之前读取的内容",
  "the file was replaced after it was read": "文件已不是当初读取的那个",
  "the folder for files belongs to another user": "存放文件的文件夹属于其他用户",
  "the folder holds a text export and a database: the text was read, and the database only where it has sums that the text lacks":
    "文件夹中既有文本导出又有数据库：已读取文本，只在文本缺少汇总时读取数据库",
  "the form is larger than 1 GiB": "表单大于 1 GiB",
  "the form with the logs ended too early, or is larger than 1 GiB": "含日志的表单提前结束，或大于 1 GiB",
  "the header names nothing that a core executed": "头部没有列出任何核所执行的内容",
  "the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY were refused":
    "AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY 的密钥被拒绝",
  "the list of events is empty": "事件列表为空",
  "the name of a marker": "标记的名称",
  "the name of the set": "标记集的名称",
  "the object was replaced while it was being read": "对象在读取期间被替换",
  "the profiler server failed": "剖析服务器出错",
  "the query is empty: write a SELECT": "查询为空：请写一条 SELECT",
  "the record is damaged": "记录已损坏",
  "the request comes from a page of another site": "请求来自其他站点的页面",
  "the request took too long to arrive": "请求到达耗时过长",
  "the server cannot be reached": "无法连接服务器",
  "the server does not answer": "服务器没有应答",
  "the server is ending": "服务器正在结束",
  "the server's name is not known": "服务器的名称未知",
  "the start time is in the past": "开始时间已过",
  "the text holds a zero byte": "文本含有零字节",
  "the text of the query is longer than 1 MB": "查询的文本超过 1 MB",
  "the trace has no step marks: each step here is the time of the kernels with its number in the table of kernels":
    "trace 没有标记 Step：此处每个 Step 是内核表中具有其编号的内核的时间",
  "the upload was cancelled": "上传已取消",
  "there is no folder to store files in: set SIGHTLINE_CACHE_DIR or HOME":
    "没有可存放文件的文件夹：请设置 SIGHTLINE_CACHE_DIR 或 HOME",
  "there is no such process": "没有这个进程",
  "there is no such upload: it was closed, or it did not go on": "没有这次上传：它已被关闭，或没有继续",
  "no other profile has what this view compares": "没有其他性能数据包含此视图要对比的内容",
  "there is only one profile; a comparison needs two": "只有一份性能数据：对比需要两份",
  "this engine builds no timelines": "此程序不生成时间线",
  "this file is being sent already": "此文件正在发送",
  "this file was sent already": "此文件已经发送",
  "this identity may not read it; or set AZURE_STORAGE_CONNECTION_STRING":
    "此身份无权读取；或设置 AZURE_STORAGE_CONNECTION_STRING",
  "this is not a SELECT: a query can only read the profile's tables": "不是 SELECT：查询只能读取性能数据的表",
  "this is not the token of this server: open the address that it printed when it started":
    "令牌不属于此服务器：请打开它启动时打印出的地址",
  "this profile has no engines to write: --format chrome is JSON of any timeline":
    "此性能数据没有可写出的引擎：--format chrome 是任何时间线的 JSON",
  "this profile is no longer in the cache": "它已不在缓存中",
  "this server opens no further files of its machine (--no-token)":
    "此服务器不打开本机的其他文件（--no-token）",
  "throttle states": "限频状态",
  "timeline's calls": "时间线的调用",
  "too many uploads are open: close some of them": "打开的上传过多：请关闭其中一些",
  "too many uploads at once: wait until one is done": "同时上传的数量过多：请等其中一个完成",
  "undocumented bytes of the header are set": "头部中没有公开文档说明的字节被置位",
  "use either a start time or a number of iterations": "开始时间与迭代数只能用其一",
  "was it started with KINETO_USE_DAEMON=1?": "启动时是否设置了 KINETO_USE_DAEMON=1？",
  "when kernels of COMPUTE_TASK_INFO ran is not known, and they are not shown":
    "不知道 COMPUTE_TASK_INFO 中的内核何时运行，因此不显示",
  "work of the runtime before the program began, and its waiting for the next program, were left out":
    "程序开始前运行时自身的活动，以及它等待下一个程序的时间，没有计入",
  "written by another version": "由另一版本写入",
  "tables of this capture were removed because it is old: its views may lack them":
    "此次采集较旧，它的一些表已删除：视图可能缺少它们",
  "a path does not lead into the lake": "有一个路径不在数据湖内",
  "no reader of this program wrote it": "它不是由本程序的读取器写出的",
  "the copy of the file cannot be opened": "无法打开文件的副本",
  "the file changed while it was copied": "复制期间文件发生了变化",
  "the file is larger than the cache may be": "文件超过了缓存允许的大小",
  "a path does not lead into the lake; its file was skipped": "有一个路径不在数据湖内；已跳过其文件",
  "cannot be named": "无法命名",
  "cannot be removed": "无法删除",
  "not an object": "不是对象",
  "not enough memory": "内存不足",
  "a byte is not an opcode of a pickle of plain data": "有字节不是纯数据 pickle 的操作码",
  "a number does not fit into 64 bits; it is unknown": "有数字超出 64 位；按未知计",
  "a text is longer than 1 MiB; the rest was left out": "有文本超过 1 MiB；其余部分已略去",
  "a text or list is too long; the rest was left out": "有文本或列表过长；其余部分已略去",
  "a text inside a list or an object is longer than 256 bytes; the rest was left out":
    "列表或对象中有文本超过 256 字节；其余部分已略去",
  "the name of a track that has others is longer than 1 KiB; theirs begin with a part of it":
    "有下级轨道的轨道名称超过 1 KiB；下级轨道的名称只以其一部分开头",
  "the path to a call is longer than 8 KiB; its end was left out": "调用的路径超过 8 KiB；其末尾已略去",
  "it needs more memory than --memory allows": "所需内存超过 --memory 的限制",
  "the weights of samples are too large; the last sample has no length":
    "采样的权重过大；最后一个采样没有长度",
  "a value is longer than any file": "有值的长度超过任何文件",
  "an address was allocated again without a release; the block that was there counts as released then":
    "有地址未经释放又被分配；原有的块视为此时已释放",
  "an annotation began before the history; it is left out": "有标注在历史记录之前开始；已略去",
  "an entry has an earlier time than the one before it; it is shown at that one's time":
    "有条目的时间早于前一条目；以前一条目的时间显示",
  "an entry lacks an address, a size or a time, or is repeated; it was left out":
    "有条目缺少地址、大小或时间，或者重复；已略去",
  "an entry of the history has an action that is not known; no total counts it":
    "历史记录中有条目的动作未知；任何总量都不计入",
  "an entry of the history has no time; it is shown 1 µs after the one before it":
    "历史记录中有条目没有时间；显示在前一条目之后 1 µs",
  "computing totals": "正在计算总量",
  "reading the snapshot": "正在读取快照",
  "the blocks of a segment do not add up to its size; they do not count as allocated before the history":
    "有段的块之和与其大小不符；这些块不计为历史记录之前已分配",
  "the file ends before the pickle does": "文件在 pickle 结束之前结束",
  "the file ends inside a value": "文件在一个值的中间结束",
  "the pickle ends a list that it did not begin": "pickle 结束了一个未开始的列表",
  "the pickle lacks a list": "pickle 缺少一个列表",
  "the pickle lacks a value": "pickle 缺少一个值",
  "the pickle names a value that it does not have": "pickle 命名了一个不存在的值",
  "the pickle numbers more values than it has": "pickle 编号的值多于其实际拥有的值",
  "the pickle appends to something that is not a list": "pickle 把一项放入了并非列表的对象",
  "the pickle refers to a value that it does not have": "pickle 引用了一个不存在的值",
  "reading calls": "正在读取调用",
  "reading counters and samples": "正在读取计数器和采样",
  "reading ranges": "正在读取范围",
  "TARGET_INFO_GPU does not describe a device: its product and its peaks are unknown":
    "TARGET_INFO_GPU 没有描述某个设备：其产品和峰值未知",
  "several processes use a device of one number, and TARGET_INFO_CUDA_DEVICE does not state which device each of them means: if they see different devices, these are shown as one":
    "多个进程使用同一编号的设备，而 TARGET_INFO_CUDA_DEVICE 没有说明各进程指的是哪个设备：如果它们看到的设备不同，这些设备会显示为一个",
  "StringIds lacks rows: names are not known, and their numbers are shown instead":
    "StringIds 缺少行：名称未知，改为显示其编号",
  "a range has no end in NVTX_EVENTS; it is shown until the last time in the file":
    "NVTX_EVENTS 中某个范围没有结束；它显示到文件中的最后时间",
  "NVTX_EVENTS has the end of a range without its begin": "NVTX_EVENTS 中有范围的结束，但没有其开始",
  "it has none of the tables of an export of Nsight Systems": "其中没有 Nsight Systems 导出文件的任何表",
  "names of events are not in the file, and their numbers are shown instead":
    "文件中没有事件的名称，改为显示其编号",
  "an event refers to a time that is not in the file, and was skipped":
    "事件引用的时间不在文件中，已跳过该事件",
  "it has none of the tables of a ROCm profile": "其中没有 ROCm 性能数据的任何表",
  "a record is not valid JSON; it was skipped": "记录不是有效的 JSON；已跳过",
  "the file ends within its records; everything before that was read":
    "文件在其记录中结束；此前的内容均已读取",
  "this pickle is no memory snapshot: it has neither device_traces nor segments":
    "此 pickle 不是内存快照：既没有 device_traces，也没有 segments",
  "rank takes one number": "rank 只接受一个数字",
  "shifts takes as many numbers as ranks": "shifts 的数字个数须与 ranks 相同",
  "the ranks have changed: load them again": "rank 已变化：请重新加载",
  "a frame is not closed; it is shown until the end of its profile": "有一个帧没有结束；显示到其分析的末尾",
  "a node has no id, or that of another node; it was left out":
    "有一个节点没有编号，或编号与其他节点相同；已略去",
  "a packet is damaged; what precedes the damage in it was read":
    "有一个数据包已损坏；其中损坏之前的内容已读取",
  "a packet is longer than 16 MiB and was skipped": "有一个数据包超过 16 MiB，已跳过",
  "a sample has no time, or a node that the file does not list; it was left out":
    "有一个采样没有时间，或其节点未在文件中列出；已略去",
  "a sample has no weight; it was left out": "有一个采样没有权重；已略去",
  "a slice does not end; it is shown until the last time in the file":
    "有一个切片没有结束；显示到文件中的最后时间",
  "a slice ends that did not begin on its track": "有一个切片结束，但它没有在其轨道上开始",
  "a stack has a frame that the file does not list; it was left out":
    "有一个调用栈含有文件未列出的帧；已略去",
  "an event is out of order, or closes a frame that is not open; it was left out":
    "有一个事件次序不对，或结束了未开始的帧；已略去",
  "compressed packets are damaged, or unpack to more than 64 MiB; what precedes that was read":
    "压缩的数据包已损坏，或解压后超过 64 MiB；之前的内容已读取",
  "events of a kind that is not read (asynchronous events of old writers) were left out":
    "略去了不读取的事件（旧写入程序的异步事件）",
  "packets have a time of a clock that no snapshot relates to the clock of the trace; they were skipped":
    "有数据包的时间来自没有快照与跟踪时钟关联的时钟；已跳过",
  "packets refer to data that was lost or never written; they were skipped":
    "有数据包引用了已丢失或从未写入的数据；已跳过",
  "packets were lost when the trace was recorded; it is not known what they contained":
    "采集时丢失了数据包；其内容未知",
  "parts of the file are not packets of a trace; they were skipped": "文件的某些部分不是跟踪的数据包；已跳过",
  "reading the device log": "正在读取设备日志",
  "slices are made of samples: what ran between two samples is not known":
    "切片由采样构成：两次采样之间运行了什么是未知的",
  "slices have no category; their names and arguments show what they are":
    "切片没有类别；由其名称与参数判断它们是什么",
  "the file ends inside a packet, or is damaged there; everything before it was read":
    "文件在一个数据包中间结束，或在那里损坏；之前的内容均已读取",
  "the file has no `nodes`": "文件没有 `nodes`",
  "the file has no `shared.frames` and `profiles`": "文件没有 `shared.frames` 与 `profiles`",
  "the time of a sample is before that of the last one; it counts as the same":
    "有一个采样的时间早于上一个；按相同时间计",
  "reading measured kernels": "正在读取测量的内核",
  "a weight is negative; it was left out": "有一个权重为负；已略去",
  "a profile has events without times; it is not shown": "有一个分析的事件没有时间；不显示",
  "a line is not a stack with a weight behind it; it was skipped": "有一行不是后跟权重的调用栈；已跳过",
  "reading step metrics": "正在读取 Step 指标",
  "logs of step metrics have nothing within an hour of the recording; they are not shown":
    "有 Step 指标的日志在采集前后一小时内没有内容；不显示",
  "the profile has no samples with times": "该分析没有带时间的采样",
  "a call has no operation or no number in its process group; it was left out":
    "某次调用没有操作名，或没有在其通信组中的编号；已忽略",
  "a file describes a process group without its name; the ranks of the groups that calls name are not known":
    "某个文件描述了通信组但没有其名称；调用中所述通信组的 rank 未知",
  "not the file of a flight recorder: it has neither entries nor pg_config":
    "不是飞行记录器的文件：既没有 entries，也没有 pg_config",
  "reading the dumps of the ranks": "正在读取各 rank 的转储",
  "the file is not complete JSON": "文件不是完整的 JSON",
  "the files do not state the ranks of the group of all ranks; it is taken to have those with a file":
    "文件没有说明所有 rank 的通信组包含哪些 rank；视为包含有文件的那些",
  "ranks between which something moved are not in a group that the files list; it was left out":
    "有数据移动的 rank 不在文件所列的任何通信组中；已忽略",
  "reading the sums of all ranks": "正在读取所有 rank 的汇总",
  "its times are damaged: its slices together last longer than 190 years":
    "其时间已损坏：所有时间片合计超过 190 年",
  "a stack has more than 1,000 frames; the outermost ones are left out":
    "有调用栈超过 1,000 个栈帧；最外层的已略去",
  "a stack was left out: the file has more than its size explains":
    "有调用栈已略去：文件中的调用栈多于其大小所能解释的",
} satisfies Record<TextSaid, string>;
