"""A model that is compiled and replayed as a CUDA graph: the program behind samples/graph_cuda.

One process, one GPU. Each step runs a convolutional net compiled to Triton kernels, then replays a captured graph of a multilayer
perceptron, whose kernels one launch starts. Run through tools/record_sample.py, which passes in the profiler.
"""
import torch
from torch import nn
from torch.profiler import record_function

DEVICE = 'cuda'
STEPS = {'wait': 1, 'warmup': 2, 'active': 4, 'repeat': 1}


def captured(model, example):
    """A graph of model(example), and its result; replaying the graph computes it again."""
    beside = torch.cuda.Stream()
    beside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(beside):
        for _ in range(3):
            model(example)
    torch.cuda.current_stream().wait_stream(beside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = model(example)
    return graph, result


@torch.no_grad()
def main(profiler):
    torch.manual_seed(0)
    convolutions = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.SiLU(), nn.Conv2d(32, 64, 3, padding=1), nn.SiLU())
    convolutions = torch.compile(convolutions.cuda().half().eval())
    layers = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512), nn.LayerNorm(512)).cuda().half()
    graph, result = captured(layers, torch.randn(64, 512, device='cuda', dtype=torch.half))
    images = torch.randn(8, 3, 64, 64, device='cuda', dtype=torch.half)
    convolutions(images)
    with profiler:
        for _ in range(7):
            with record_function('## compiled ##'):
                features = convolutions(images)
            with record_function('## replayed ##'):
                graph.replay()
            (features.float().mean() + result.float().mean()).item()
            profiler.step()
