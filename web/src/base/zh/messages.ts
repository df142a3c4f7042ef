// Problems of files, progress of the program, and errors of the server.
import type { ProgramWords } from "../translate";

export const messages: ProgramWords = {
  // Progress of reading a file.
  queued: "排队中",
  reading: "正在读取",
  ready: "就绪",
  "being written": "正在写入",
  "building tables": "正在建表",
  "joining tables": "正在合并各表",
  "attributing device work": "正在归属设备任务",
  "reading records": "正在读取记录",
  "reading names": "正在读取名称",
  "reading events": "正在读取事件",

  // Files that cannot be read.
  "the file is empty": "文件为空",
  "the file contains only blanks": "文件只有空白",
  "the file has no header": "文件没有表头",
  "no such file or directory": "没有这样的文件或目录",
  "is a directory": "是一个目录",
  "neither a file nor a directory: save it to a file first": "既不是文件也不是目录：请先保存为文件",
  "cannot open {path}: {why}": "无法查看 {path}：{why}",
  "not enough memory": "内存不足",
  "not enough memory to read this file": "内存不足，无法读取此文件",
  "reading failed: {why}": "读取失败：{why}",
  "this profile is no longer in the cache": "它已不在缓存中",
  "the file was replaced after it was read": "文件已不是当初读取的那个",
  "the file was deleted; this is its last reading": "文件已不存在，以下是之前读取的内容",
  "the file is being written; it is read again when it stops changing":
    "文件正在写入，待其不再变化后会重新读取",
  "not a trace: the root object has no traceEvents": "不是 trace：根对象中没有 traceEvents",
  "not a trace: expected '{' or '['": "不是 trace：应为 '{' 或 '['",
  "not JSON: expected a member of the root object": "不是 JSON：应为根对象的成员",
  "not JSON: {why}": "不是 JSON：{why}",
  "the file ends before its traceEvents": "文件在 traceEvents 之前就结束了",
  "the file ends before its traceEvents ({why})": "文件在 traceEvents 之前就结束了（{say why}）",
  "no event could be read: {why}": "没有可读取的事件：{say why}",
  "nothing could be read: {why}": "没有可读取的内容：{say why}",
  "its files hold no rows": "其文件中没有行",
  "no file of an Ascend profile": "不是 Ascend 性能数据的文件",
  "no record could be read: {why}": "没有可读取的记录：{say why}",
  "it holds none": "其中没有",
  "NTFF version {version} is not decoded (supported: {supported})":
    "不能解码 NTFF 版本 {version}（支持：{supported}）",
  "the file ends inside its first 128 bytes": "文件在其前 128 字节内就结束了",
  "a header cannot have {n#} bytes": "头部不可能为 {n} 字节",
  "the header names nothing that a core executed": "头部没有列出任何核所执行的内容",
  "a value extends beyond the end of its message": "有值超出了其消息的末尾",
  "the file ends inside the header": "文件在头部之内就结束了",
  "a number of more than ten bytes": "有数字超过十个字节",
  "a field has a type that protocol buffers do not have": "有字段的类型是 protocol buffers 所没有的",
  "a field is longer than its message": "有字段长于其所在的消息",
  "a number is expected in field {n#}": "字段 {n} 应为数字",
  "text or a message is expected in field {n#}": "字段 {n} 应为文本或消息",
  "no record begins here": "这里没有记录",
  "the file ends inside the record": "文件在记录之内就结束了",
  "the event ends with the file": "事件随文件一起结束",
  "it comes from a table, not from a trace": "它来自表，而非 trace",

  // Damage that the reader survived.
  "raw control characters inside strings were read as blanks": "字符串中的原始控制字符按空白读取",
  "strings contain bytes that are not UTF-8; they are shown as U+FFFD":
    "字符串中有非 UTF-8 的字节；显示为 U+FFFD",
  "an event is not well-formed JSON and was skipped": "有事件不是格式正确的 JSON，已跳过",
  "an event is longer than 16 MiB and was skipped": "有事件长于 16 MiB，已跳过",
  "a counter has more than 1,000 series, or very long names, in one event; those beyond are left out":
    "有计数器在一个事件中含有超过 1,000 个序列或很长的名称，超出部分已略去",
  "members of the root object that are longer than 16 MiB, alone or together, were left out":
    "根对象中单个或合计长于 16 MiB 的成员已略去",
  "reading stopped at {at#} of {size#}, because it needs more than the {most#} of memory that --memory allows: the rest of the file is missing":
    "读取在 {size#} 中的 {at#} 处停止，因为所需内存超过 --memory 允许的 {most#}：文件中此后的内容缺失",
  "an escape sequence that JSON does not know was kept as written": "有 JSON 不认识的转义序列，按原样保留",
  "an event has no name; it is shown as (unnamed)": "有事件没有名称；显示为 (unnamed)",
  "an event has no start time and was skipped": "有事件没有开始时间，已跳过",
  "an event has no duration; it is shown as an instant": "有事件没有时长；显示为一个时刻",
  "a negative duration was read as 0": "负的时长按 0 读取",
  "a value that should be a number is not one; it counts as unknown": "应为数字的值不是数字；按未知计",
  "an event of an unknown phase was not shown": "有事件的 ph 类型未知，没有显示",
  "an E event has no B event before it on its thread": "有 E 事件在其线程上之前没有对应的 B 事件",
  "a B event has no E event; it is shown until the last time in the file":
    "有 B 事件没有对应的 E 事件；显示到文件中的最后时刻",
  "the file ends in the middle of an event; everything before it was read":
    "文件在事件中间结束；之前的内容均已读取",
  "the file ends among its members after the events; all events were read":
    "文件在事件之后的成员中结束；所有事件均已读取",
  "the file ends before its list of events does; everything before it was read":
    "文件在事件列表结束之前就结束了；之前的内容均已读取",
  "the file continues after the end of the trace; that part was not read":
    "追踪结束之后文件仍有内容；这部分未读取",
  "{why}; everything before it was read": "{say why}；之前的内容均已读取",
  "the list of events is empty": "事件列表为空",
  "gzip: {why} at byte {at} of the file": "gzip：{say why}，位于文件的第 {at} 字节",
  "compressed data is damaged": "压缩数据已损坏",
  "compressed data ends in the middle": "压缩数据中途结束",
  "other bytes follow the compressed data": "压缩数据之后还有其他字节",
  "checksum is wrong": "校验和错误",
  "a time is more than a day away from all slices: the files belong to several recordings":
    "有时间与所有切片相距超过一天：这些文件来自多次采集",
  "{file} is missing: {lacking}": "缺少 {file}：{say lacking}",
  "no host, no steps, and nothing to attribute kernels to": "没有主机、没有 Step，也没有可归属内核的对象",
  "kernels have no cores, shapes and counters": "内核没有核类型、形状与计数器",
  "no memory of operators": "没有算子的内存",
  "no memory of the allocators over time": "没有分配器随时间的内存",
  "no sums of steps by the vendor": "没有厂商给出的各 Step 汇总",
  "no times of waiting and data transfer in collectives": "没有集合通信等待与传输的时长",
  "{error}; there is no timeline of the host": "{say error}；没有主机的时间线",
  "{error}; its data is missing": "{say error}；缺少其中的内容",
  "{error}; its data about collectives is missing": "{say error}；缺少其中关于集合通信的内容",
  "{error}; its data about kernels is missing": "{say error}；缺少其中关于内核的内容",
  "{error}; its data about memory is missing": "{say error}；缺少其中关于内存的内容",
  "{error}; its figures are missing": "{say error}；缺少其数值",
  "{error}; how the recording was set up is not known": "{say error}；不知道采集的配置",
  "{error}; the sums of steps are missing": "{say error}；缺少各 Step 的汇总",
  "{error}; the sums of operators are missing": "{say error}；缺少各算子的汇总",
  "{error}; the sums of steps and collectives are missing": "{say error}；缺少各 Step 与集合通信的汇总",
  "{error}; rows before it were read": "{say error}；之前的行均已读取",
  "its members are not steps of collectives; the rest of it was not read":
    "其成员不是集合通信的 Step；其余部分没有读取",
  "a cell that should be a number is not one; it counts as unknown": "应为数字的单元格不是数字；按未知计",
  "a time was rounded by a spreadsheet (as in 1.69512E+15) and has lost its digits; it counts as unknown":
    "有时间被电子表格软件舍入（如 1.69512E+15）而失去意义；按未知计",
  "a row without a time was skipped": "有行缺少定位所需的内容，已跳过",
  "a row has fewer cells than the header; the others count as unknown":
    "有行的单元格少于表头；缺少的按未知计",
  "there is no column of names or of starts; its rows cannot be used":
    "没有名称列或开始时间列；其各行无法使用",
  "{table} is not in the database: {what}": "数据库中没有 {table}：{say what}",
  "{table} lacks rows: {what}": "{table} 缺少行：{say what}",
  "names of events are not known, and their numbers are shown instead": "事件的名称未知，改为显示其编号",
  "when kernels of COMPUTE_TASK_INFO ran is not known, and they are not shown":
    "不知道 COMPUTE_TASK_INFO 中的内核何时运行，因此不显示",
  "kernels have no names, cores and shapes": "内核没有名称、核和形状",
  "a row of TASK or COMMUNICATION_OP repeats another row: it is counted once":
    "TASK 或 COMMUNICATION_OP 的某一行与另一行内容相同：不重复计数",
  "the trace has no step marks: each step here is the time of the kernels with its number in the table of kernels":
    "trace 没有标记 Step：此处每个 Step 是内核表中具有其编号的内核的时间",
  "a database without any table of an Ascend profile": "数据库中没有 Ascend 采集数据的任何表",
  "a row belongs to a kernel that is not in the trace; its figures are not shown":
    "有行所说的内核不在 trace 中；不显示其数值",
  "the file holds more than one core's execution; only the first graph of a core is decoded: convert the file to JSON with the vendor's tool (view --output-format json)":
    "文件包含的内容多于一个核所执行的；只解码一个核的第一个图：请用厂商工具把它写成 JSON（view --output-format json）",
  "the file ends inside the records: the rest is missing": "文件在记录之内就结束了：缺少之后的内容",
  "the device reported errors during the run; their codes are not documented, so they are only counted: Sightline reads their names from the tables of the vendor's tool (view --output-format parquet)":
    "运行期间设备报告了错误；其代码含义未公开，因此只计数：厂商工具的表（view --output-format parquet）给出其名称，可以读取",
  "places at which the device had no room for {what}: one or more are missing before each":
    "设备在这些位置没有空间写入{say what}：每处之前缺少一个或多个",
  "changes of semaphores": "信号量的变化",
  "DMA packets": "DMA 包",
  "throttle states": "限频状态",
  instructions: "指令",
  "places before the start of the program at which the device had no room for a record: no data of the program is missing":
    "程序开始之前设备没有空间写入记录的位置：程序本身并不缺少内容",
  "rows of the section {section} are not read": "区段 {section} 的各行不读取",
  "rows without a time were left out": "没有时间的行没有计入",
  "a plane that contains {file} of Neuron's older profiler is not read; open the log that its tool writes (plugins/neuron/TIME) instead":
    "一个平面包装了 Neuron 旧版性能分析器的 {file}，不予读取；请打开其工具由此生成的日志（plugins/neuron/TIME），该日志可以读取",
  "instructions name stack frames or lines of a kernel that are not in its tables: their source is not known":
    "指令所指的栈帧或内核源码行不在表中：其源码位置未知",
  "rows that are not JSON were left out": "不是 JSON 的行没有计入",
  "the device reported errors during the run: see the lane Errors": "运行期间设备报告了错误：见泳道 Errors",
  "unknown tables are not read: {names}": "未知的表不读取：{names}",
  "the tables have version {version}; Sightline knows version {known}, and ignores other names":
    "这些表的版本为 {version}；已知版本为 {known}：名称不同的内容无法理解",
  "events of the runtime that were still running at the end of the recording were left out":
    "采集结束时尚未结束的运行时事件没有计入",
  "the host's part of this recording ({files}) has no public layout and is not read; convert it with the vendor's tool (neuron-explorer view -d FOLDER --output-format json, or parquet) and open the result":
    "此采集的主机部分（{files}）的布局未公开，因此不读取；请用厂商工具写出（neuron-explorer view -d FOLDER --output-format json 或 parquet）后再打开",
  "{file} is beside this profile and has its name, but is another program: its UUID is {uuid}, the profile's {own}; it is not used":
    "{file} 位于此性能数据旁且名称相同，但属于另一个程序：其 UUID 为 {uuid}，而性能数据的为 {own}；未使用",
  "{file}: the file ends early: its archive should have {size#} bytes and has {there#}":
    "{file}：文件提前结束：其归档的 {size#} 字节中只有 {there#} 字节",
  "{file}: undocumented bytes of the header are set": "{file}：头部中没有公开文档说明的字节被置位",
  "{why}; the data of the compiled model is missing": "{why}；缺少编译后的模型所说的内容",
  "a compiled model: it contains no recording. Record it (neuron-explorer capture, or inspect) and open the profile (.ntff); a model beside it is read with it":
    "这是编译后的模型：它说明将要运行什么，而不是运行了什么。请先采集（neuron-explorer capture 或 inspect）再打开性能数据（.ntff）；位于其旁的模型会一并读取",
  "{file}: the archive's hash is {hash}, the header says {said}: the file was changed, or its header means something else":
    "{file}：归档的哈希为 {hash}，而头部写的是 {said}：文件被改动过，或其头部另有含义",
  "DMA packets that were still running at the end of the recording were left out":
    "采集结束时尚未结束的 DMA 包没有计入",
  "an end without a beginning was left out": "只有结束而没有开始的记录没有计入",
  "an end is before its beginning: the length is taken as 0": "有结束早于其开始：时长按 0 计",
  "records of a unit without a usable clock were left out": "没有可用时钟的单元的记录没有计入",
  "records of undocumented types were left out: Sightline reads them from the output of the vendor's tool (view --output-format json, or parquet)":
    "类型未公开的记录没有计入：请让厂商工具写出它所知的内容（view --output-format json 或 parquet），可以读取",
  "records that overlap those of another unit were left out": "与其他单元的记录重叠的记录没有计入",
  "bytes after the last whole record of a unit were left out": "单元最后一条完整记录之后的字节没有计入",
  "records of a unit without a public layout (collectives, a second physical core) were left out: Sightline reads them from the tables of the vendor's tool (view --output-format parquet)":
    "布局未公开的单元（集合通信、第二个物理核）的记录没有计入：厂商工具的表（view --output-format parquet）包含它们，可以读取",
  "instructions that were still running at the end of the recording are drawn to its end":
    "采集结束时尚未结束的指令：画到采集结束为止",
  "simulated: no device ran, so no time here was measured": "模拟：没有设备运行，因此这里的时间都不是测量值",
  "work of the runtime before the program began, and its waiting for the next program, were left out":
    "程序开始前运行时自身的活动，以及它等待下一个程序的时间，没有计入",
  "instructions that ran during the program but are not part of it were left out":
    "程序运行期间执行的、不属于程序的指令没有计入",
  "no instruction marks the start of the program: times count from the first recorded instruction, and earlier work of the runtime cannot be separated":
    "没有指令标明程序从何处开始：时间从第一条记录算起，无法区分此前运行时的活动",

  // Of XLA profiles.
  "events whose bytes are damaged were left out": "字节损坏的事件没有计入",
  "events with an impossible time were left out": "时间不可能成立的事件没有计入",
  "kernels with more registers than any device has: their registers and shared memory count as unknown":
    "声明的寄存器数超过任何设备：这些内核的寄存器和共享内存视为未知",
  "counter events without a number were left out": "没有给出数值的计数器事件没有计入",
  "memory releases with neither a size nor a recorded allocation were left out":
    "既没有给出大小、也没有对应已记录分配的内存释放没有计入",
  "the program marked no steps: each run of {program} on {device} counts as a step":
    "程序没有标记 Step：{program} 在 {device} 上的每次运行算作一个",
  "the program marked no steps: each call of {function} counts as a step":
    "程序没有标记 Step：每次调用 {function} 算作一个",
  "the file ends inside a message: everything before it is shown": "文件在一条消息中间结束：显示此前的内容",
  "a field is longer than its message: everything before it is shown":
    "某个字段比它所在的消息还长：显示此前的内容",
  "a value extends beyond the end of its message: everything before it is shown":
    "某个值超出了它所在的消息：显示此前的内容",
  "a field has a type that protocol buffers do not have: everything before it is shown":
    "出现 protocol buffers 没有的字段类型：显示此前的内容",
  "the file contains no plane of a profile": "文件中没有性能数据的 plane",
  "a Riegeli file of a continuous capture, which Sightline does not read: save a snapshot as .xplane.pb":
    "连续采集的 Riegeli 文件，本程序不读取：请把快照保存为 .xplane.pb",

  // Notes and errors of the program and its server.
  "of {all} profiles in the cache, the {n#} that were read last are shown":
    "缓存中有 {all} 份性能数据，只显示最近读取的 {n} 份",
  "not kept in the cache, so it will be read again next time: {path}: {why}":
    "没有保存到缓存，下次会重新读取：{path}：{why}",
  "no profile was given": "没有给出性能数据",
  "the view failed: {why}": "视图计算失败：{why}",
  "still loading": "仍在加载",
  "not enough memory for this view": "内存不足，无法计算此视图",
  "this engine builds no timelines": "此程序不生成时间线",
  "no table '{table}' in view {view}; available: {known}": "视图 {view} 中没有表 '{table}'；已有：{known}",
  "no column '{column}' in table {table}; available: {known}":
    "表 {table} 中没有列 '{column}'；已有：{known}",
  "'limit' is at most {most}, not {n#}": "'limit' 最大为 {most}，而不是 {n}",
  "'{key}' takes a number, not '{text}'": "'{key}' 应为数字，而不是 '{text}'",
  "{name} takes a number, not '{text}'": "{name} 应为数字，而不是 '{text}'",
  "a window needs start < end": "窗口要求 start < end",
  "a window needs start < end and pixel >= 1": "窗口要求 start < end 且 pixel >= 1",
  "group takes module, not '{text}'": "group 只能是 module，而不是 '{text}'",
  "kinds are launch, forward_backward and other, not '{text}'":
    "kinds 只能是 launch、forward_backward 与 other，而不是 '{text}'",
  "{n#} slices are too many to export from the page (at most {most}): choose a smaller window or fewer lanes, or use sightline export":
    "{n} 个切片太多，不能从页面导出（最多 {most}）：请选择更小的窗口或更少的泳道，或使用 sightline export",
  "a token is required: open the address that the program printed": "需要令牌：请打开程序打印出的地址",
  "a token is required: open the address that the program printed; to see it again, run: {command}":
    "需要令牌：请打开程序打印出的地址；要再次查看，请运行：{command}",
  "this is not the token of this server: open the address that it printed when it started":
    "令牌不属于此服务器：请打开它启动时打印出的地址",
  "this is not the token of this server: open the address that it printed when it started; to see it again, run: {command}":
    "令牌不属于此服务器：请打开它启动时打印出的地址；要再次查看，请运行：{command}",
  "the request comes from a page of another site": "请求来自其他站点的页面",
  "the request comes from a page of another site: {origin}": "请求来自其他站点的页面：{origin}",
  "the request has no Host header that names one host: '{host}'": "请求没有指明唯一主机的 Host 头：'{host}'",
  "the Host header names '{host}', which is not this server; use localhost, or --host":
    "Host 头为 '{host}'，不是本服务器；请使用 localhost，或 --host",

  // Opening profiles from the page.
  "it has an empty part": "其中有空的部分",
  "names that begin with a dot are not read": "不读取以点开头的名称",
  "it has a name that is longer than 200 bytes": "其中有超过 200 字节的名称",
  "it is empty": "它是空的",
  "it is longer than 1,024 bytes": "它超过 1,024 字节",
  "it is not UTF-8": "它不是 UTF-8",
  "it has a control character or a backslash": "其中有控制字符或反斜杠",
  "it is an absolute path": "它是绝对路径",
  "it has more than 32 parts": "它的层数超过 32",
  "there is no file": "没有文件",
  "there are more than 10,000 files: choose a folder with fewer files":
    "文件超过 10,000 个：请选择文件较少的文件夹",
  "there is no folder to store files in: set SIGHTLINE_CACHE_DIR or HOME":
    "没有可存放文件的文件夹：请设置 SIGHTLINE_CACHE_DIR 或 HOME",
  "the folder for files belongs to another user": "存放文件的文件夹属于其他用户",
  "the server is ending": "服务器正在结束",
  "too many uploads at once: wait until one is done": "同时上传的数量过多：请等其中一个完成",
  "too many uploads are open: close some of them": "打开的上传过多：请关闭其中一些",
  "this file is being sent already": "此文件正在发送",
  "this file was sent already": "此文件已经发送",
  "the upload was cancelled": "上传已取消",
  "the disk of the server is full": "服务器的磁盘已满",
  "not enough memory to open this": "内存不足，无法打开",
  "opening failed: {why}": "打开失败：{why}",
  "there is no such upload: it was closed, or it did not go on": "没有这次上传：它已被关闭，或没有继续",
  "this server opens no further files of its machine (--no-token)":
    "此服务器不打开本机的其他文件（--no-token）",
  "opening profiles from the page is off (--no-add)": "已关闭从页面打开性能数据（--no-add）",
  "give a path": "请给出路径",

  // About a slice of the timeline.
  "Operator that made the call": "发起此调用的算子",
  "Operator that launched it": "下发它的算子",
};
