"""A small language model trained on noise in mixed precision on a GPU: the program behind samples/gpt_cuda.

One process, one GPU, two streams: batches are copied from pinned memory on a separate stream while the model computes.
Run through tools/record_sample.py, which passes in the profiler and names the files.
"""
import torch
from torch import nn
from torch.profiler import record_function
from torch.utils.data import DataLoader, TensorDataset

DEVICE = 'cuda'
STEPS = {'wait': 1, 'warmup': 2, 'active': 2, 'repeat': 1}


class Decoder(nn.Module):
    def __init__(self, words=1000, width=256):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, nhead=4, dim_feedforward=1024, batch_first=True, norm_first=True, dropout=0.0)
        self.layers = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
        return self.head(self.layers(self.embedding(tokens), mask=mask, is_causal=True))


def main(profiler):
    torch.manual_seed(0)
    model, loss_of = Decoder().cuda(), nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    data = DataLoader(TensorDataset(torch.randint(0, 1000, (96, 129))), batch_size=16, pin_memory=True)
    copies = torch.cuda.Stream()
    with profiler:
        for (tokens,) in data:
            with torch.cuda.stream(copies):
                tokens = tokens.cuda(non_blocking=True)
            torch.cuda.current_stream().wait_stream(copies)
            tokens.record_stream(torch.cuda.current_stream())
            with record_function('## forward ##'), torch.autocast('cuda', dtype=torch.bfloat16):
                scores = model(tokens[:, :-1])
                loss = loss_of(scores.flatten(0, 1), tokens[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            profiler.step()
        torch.cuda.synchronize()
