// Texts about recording: progress, what a user must know about the result, and why there is no result.
import type { ProgramWords } from "../translate";

export const capture: ProgramWords = {
  // Progress.
  "listening for {n#} s of {all#} s": "正在监听：{n} 秒，共 {all} 秒",
  "listening for {n#} s: no process found yet": "正在监听：{n} 秒，尚无进程询问",
  "listening for {n#} s: {count#} process found": "正在监听：{n} 秒，{count} 个进程在询问",
  "listening for {n#} s: {count#} processes found": "正在监听：{n} 秒，{count} 个进程在询问",
  "{n#} s: {states}": "{n} 秒：{each states}",
  "{n#} requested": "{n} 个已请求",
  "{n#} recording": "{n} 个采集中",
  "{n#} done": "{n} 个已完成",
  "{n#} lost": "{n} 个已丢失",
  "{n#} of {all#} answered": "{all} 个中已应答 {n} 个",
  "starting in {n#} s": "{n} 秒后开始",
  "recording for {n#} s": "采集中，还有 {n} 秒",
  "calling {server}": "正在请求 {server}",
  "the engine writes its files": "引擎正在写文件",
  "waiting for the files of the engine: {n#}": "等待引擎的文件：{n}",

  // Invalid requests.
  "a duration is 1 ms to 10 minutes": "时长为 1 毫秒到 10 分钟",
  "an address is HOST:PORT, such as localhost:9999": "地址为 HOST:PORT，例如 localhost:9999",
  "{address}: an address is HOST:PORT, such as localhost:9999":
    "{address}：地址应为 HOST:PORT，例如 localhost:9999",
  "{url}: not an address such as http://localhost:8000": "{url}：不是 http://localhost:8000 这样的地址",
  "a capture is already running; only one can run at a time": "已有采集正在进行：一次只能进行一个",
  "{folder}: no such folder": "{folder}：没有这个文件夹",
  "{folder}: cannot create the folder: {why}": "{folder}：无法创建文件夹：{why}",

  // PyTorch.
  "process {pid#}: there is no such process": "进程 {pid}：没有这个进程",
  "process {pid#}: it belongs to the user {user}; only that user may record it":
    "进程 {pid}：属于用户 {user}，只有该用户可以采集",
  "process {pid#} of the user {user} can be recorded by that user only":
    "用户 {user} 的进程 {pid} 也在询问；只有该用户可以采集",
  "process {pid#}: it ended": "进程 {pid}：已结束",
  "process {pid#}: it did not check for a request within {n#} s: {why}":
    "进程 {pid}：{n} 秒内没有询问：{say why}",
  "no PyTorch process checked for a request within {n#} s: {why}": "{n} 秒内没有 PyTorch 进程询问：{say why}",
  "was it started with KINETO_USE_DAEMON=1?": "启动时是否设置了 KINETO_USE_DAEMON=1？",
  "it was started without KINETO_USE_DAEMON=1": "启动时没有设置 KINETO_USE_DAEMON=1",
  "it has not imported torch": "它没有导入 torch",
  "process {pid#}: its torch recorded no allocations; releases so far do that in torch.profiler only":
    "进程 {pid}：它的 torch 没有记录内存分配；目前的版本只有 torch.profiler 会记录",
  "process {pid#}: torch {release} can crash when it starts with KINETO_USE_DAEMON set; 2.10 does not":
    "进程 {pid}：torch {release} 在设置了 KINETO_USE_DAEMON 时启动可能崩溃；2.10 不会",
  "process {pid#}: no operator ran while it was recorded": "进程 {pid}：采集期间没有运行任何算子",
  "process {pid#}: no operator ran while it was recorded; recording again":
    "进程 {pid}：采集期间没有运行任何算子；再次采集",
  "process {pid#}: it is being recorded already, by torch.profiler in it or by another capture; waiting for the end of that recording":
    "进程 {pid}：已在采集中，由它自己的 torch.profiler 或其他程序进行；等待其结束",
  "process {pid#}: it was busy with another recording; gave up": "进程 {pid}：一直忙于另一次采集，已放弃",
  "process {pid#}: it ended before its recording was complete": "进程 {pid}：采集完成前已结束",
  "process {pid#}: it ended before its recording was complete; what it had written is kept":
    "进程 {pid}：采集完成前已结束；已写入的内容保留",
  "process {pid#}: it received the request but did not start: its own log has the reason":
    "进程 {pid}：收到请求但没有执行：原因见它自己的日志",
  "process {pid#}: it received the request but did not start: its own log has the reason; trying again":
    "进程 {pid}：收到请求但没有执行：原因见它自己的日志；再次请求",
  "process {pid#}: it began but did not record: torch.profiler in it took over, or its own log has the reason":
    "进程 {pid}：已开始但没有采集：被它自己的 torch.profiler 接管，或原因见它自己的日志",
  "process {pid#}: stopped": "进程 {pid}：已放弃",
  "process {pid#}: no result in time; gave up": "进程 {pid}：未能及时收到结果，已放弃",
  "process {pid#}: stopped; its recording ends by itself, and the file is deleted":
    "进程 {pid}：已放弃；它会自行结束采集，文件随之删除",
  "process {pid#}: no result in time; gave up; its recording ends by itself, and the file is deleted":
    "进程 {pid}：未能及时收到结果，已放弃；它会自行结束采集，文件随之删除",

  // Profiler servers.
  "{address}: no gRPC server answers there: is a profiler server running on this port? ({detail})":
    "{address}：没有 gRPC 服务应答：这个端口上有剖析服务器在运行吗？（{detail}）",
  "{address}: it speaks gRPC but has no ProfilerService: is this the port of the profiler server? ({detail})":
    "{address}：是 gRPC，但没有 ProfilerService：这是剖析服务器的端口吗？（{detail}）",
  "{address}: it is being recorded already: one at a time ({detail})":
    "{address}：已在采集中：一次只能进行一个（{detail}）",
  "{address}: no answer in time ({detail})": "{address}：未及时应答（{detail}）",
  "{address}: the call was cancelled ({detail})": "{address}：已放弃调用（{detail}）",
  "{address}: the profiler server failed ({detail})": "{address}：剖析服务器出错（{detail}）",
  "{address}: nothing ran while it was recorded": "{address}：采集期间没有运行任何内容",
  "{address}: this older release wrote the profile to its own disk: {path}":
    "{address}：较旧的版本：它把性能数据写到了自己的磁盘上：{path}",

  // Serving engines.
  "{url}: no server answers there ({detail})": "{url}：无人应答（{detail}）",
  "{url}: no HTTP answer in time": "{url}：未及时应答，或应答不是 HTTP",
  "{url}: no such route: vLLM has it if it was started with --profiler-config or VLLM_TORCH_PROFILER_DIR, SGLang always has it":
    "{url}：没有这个路由：vLLM 以 --profiler-config 或 VLLM_TORCH_PROFILER_DIR 启动时才有，SGLang 始终有",
  "{url}: it answered {answer}": "{url}：应答为 {answer}",
  "{url}: stopped before its answer arrived": "{url}：没有等待它的应答",
  "the engine is still writing: the files may be incomplete": "引擎仍在写：文件可能不完整",
  "the engine has written no trace to {folder}": "引擎没有向 {folder} 写入跟踪文件",
  "the engine has written its traces on its own disk: to VLLM_TORCH_PROFILER_DIR or torch_profiler_dir for vLLM; use --traces FOLDER to give the path of that folder on this machine":
    "引擎把跟踪文件写到了自己的磁盘上：vLLM 写到 VLLM_TORCH_PROFILER_DIR 或 torch_profiler_dir；请说明从这里看它在何处",
};
