"""A multilayer perceptron trained by two ranks over NCCL: the program behind samples/ddp_cuda.

Two processes, two workers, one file each; both ranks share the only GPU, or have one each. Run through
tools/record_sample.py, which starts the ranks and passes in the profiler of each.
"""
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

DEVICE = 'cuda'
STEPS = {'wait': 1, 'warmup': 2, 'active': 3, 'repeat': 1}


def main(profiler):
    rank = torch.distributed.get_rank()
    torch.manual_seed(rank)
    layers = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 64)).cuda()
    model = DistributedDataParallel(layers, bucket_cap_mb=2)  # several all-reduces a step
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    counts = torch.zeros(4, device='cuda')
    with profiler:
        for _ in range(6):
            loss = nn.functional.mse_loss(model(torch.randn(256, 512, device='cuda')), torch.randn(256, 64, device='cuda'))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            torch.distributed.all_gather_into_tensor(torch.empty(8, device='cuda'), counts)
            torch.distributed.broadcast(counts, src=0)
            profiler.step()
        torch.cuda.synchronize()
