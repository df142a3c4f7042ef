// Compiled programs: their operators, the operators' costs, the lifetimes of values, and the slices that execute operators.
#include "formats/xplane/programs.h"

#include <gtest/gtest.h>

#include "formats/xplane/hlo_text_test.h"
#include "model/profile.h"

namespace sightline::formats::xplane {

namespace {

using Lines = std::vector<std::string>;

HloText program() {
  HloText hlo("jit_f", R"(computation 1
left = f32[64,96] parameter()
right = f32[96,128] parameter()
dot.1 = f32[64,128] dot(left, right) contract=1 op="jit(f)/dot" at="f.py:3"
fusion.1 = f32[64,128] fusion(dot.1, right) calls=2 kind=kLoop
slice.1 = f32[8,128] slice(fusion.1)
conv = bf16[1,8,4,16] custom-call(slice.1, slice.1) target="__cudnn$convForward" output_feature=1
gemm = f32[64,64] custom-call(dot.1, dot.1) target="__cublas$gemm" config={"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}}
other = f32[4] custom-call(dot.1) target="mine"
computation 2
a = f32[64,128] parameter()
b = f32[96,128] parameter()
tanh.1 = f32[64,128] tanh(a)
dot.2 = f32[64,96] dot(tanh.1, b) contract=1
)");
  hlo.buffer(1, "left", 24576, 0, 0, 5);
  hlo.buffer(2, "dot.1", 32768, 1, 0, 0);
  hlo.buffer(3, "fusion.1", 32768, 1, 32768, 0);
  hlo.heap(0, 2);
  hlo.heap(0, 3);
  hlo.heap(1, 2);
  hlo.heap(1, 3);
  return hlo;
}

std::string number(double value) { return value != value ? "-" : std::to_string(static_cast<std::int64_t>(value)); }
std::string number(std::int64_t value) { return value == kUnknown ? "-" : std::to_string(value); }

// "name category flops bytes"
Lines operators(const Profile& p) {
  Lines lines;
  const ProgramOperators& o = p.program_operators;
  for (Row i = 0; i < o.rows(); ++i)
    lines.push_back(std::string(p.text(o.name[i])) + " " + std::string(p.text(o.category[i])) + " " + number(o.flops[i]) + " " +
                    number(o.bytes[i]));
  return lines;
}

TEST(XplanePrograms, CostsFollowFromShapes) {
  Profile p;
  Programs(p).add("jit_f(17)", hlo_program(program().proto()));
  EXPECT_EQ(check_profile(p), Lines{});
  EXPECT_EQ(operators(p), (Lines{"left parameter - -", "right parameter - -",
                                 // 2 x 64 x 128 x 96; 4 bytes x (64 x 96 + 96 x 128 + 64 x 128)
                                 "dot.1 dot 1572864 106496",
                                 // the dot inside: 2 x 64 x 96 x 128; 4 x (64 x 128 + 96 x 128 + 64 x 128)
                                 "fusion.1 loop fusion 1572864 114688",
                                 "slice.1 slice - -",  // uses only a part
                                 // 2 x (1 x 8 x 4 x 16) x (8 x 128 / 128); 2 x 512 + 4 x 1024 + 4 x 1024
                                 "conv custom-call 8192 9216",
                                 // 2 x 64 x 64 x 128; 4 x (64 x 64 + 2 x 64 x 128)
                                 "gemm custom-call 1048576 81920", "other custom-call - -", "a parameter - -", "b parameter - -",
                                 "tanh.1 tanh - 65536", "dot.2 dot 1572864 106496"}));
  const ProgramOperators& o = p.program_operators;
  EXPECT_EQ(p.text(o.program[2]), "jit_f");
  EXPECT_EQ(p.text(o.program_id[2]), "17");
  EXPECT_EQ(p.text(o.framework_operator[2]), "jit(f)/dot");
  EXPECT_EQ(p.text(o.source[2]), "f.py:3");
  EXPECT_EQ(p.text(o.shape[2]), "f32[64,128]");
  EXPECT_EQ(o.fused_into[2], kNoRow);
  EXPECT_EQ(o.fused_into[10], Row{3});
}

TEST(XplanePrograms, OperatorsReadTheirOperands) {
  HloText hlo("jit_f", R"(computation 1
a = f32[8] parameter()
both = f32[8] add(a, a)
fused = f32[8] fusion(both) calls=2 kind=kLoop
computation 2
p = f32[8] parameter()
t = f32[8] tanh(p)
)");
  Profile p;
  Programs(p).add("jit_f(1)", hlo_program(hlo.proto()));
  Lines reads;
  for (Row row = 0; row < p.program_inputs.rows(); ++row) {
    const auto name = [&](Row of) { return std::string(p.text(p.program_operators.name[of])); };
    reads.push_back(name(p.program_inputs.program_operator[row]) + " " + name(p.program_inputs.input[row]));
  }
  EXPECT_EQ(reads, (Lines{"both a", "both a", "fused both", "t p"}));
}

TEST(XplanePrograms, LifetimesFollowTheHeap) {
  Profile p;
  Programs(p).add("jit_f(17)", hlo_program(program().proto()));
  const ProgramBuffers& b = p.program_buffers;
  ASSERT_EQ(b.rows(), 3u);
  EXPECT_EQ(p.text(b.use[0]), "parameter");
  EXPECT_EQ(b.first[0], 0);
  EXPECT_EQ(b.last[0], 7);  // eight instructions
  EXPECT_EQ(p.text(b.use[1]), "temporary");
  EXPECT_EQ(p.text(b.value[1]), "dot.1");
  EXPECT_EQ(b.program_operator[1], Row{2});
  EXPECT_EQ(b.first[1], 2);
  EXPECT_EQ(b.last[1], 3);  // while fusion.1 runs
  EXPECT_EQ(b.offset[2], 32768);
  EXPECT_EQ(b.first[2], 3);
}

TEST(XplanePrograms, EachHeapBeginsAnew) {
  HloText hlo("jit_f", R"(computation 1
a = f32[8] parameter()
b = f32[8] tanh(a)
c = f32[8] tanh(b)
d = f32[8] tanh(c)
)");
  for (const auto& [id, name] : {std::pair{1, "b"}, std::pair{2, "c"}, std::pair{3, "d"}}) hlo.buffer(id, name, 32, id, 0, 0);
  hlo.heap(0, 3);
  hlo.heap(1, 3);
  hlo.next_heap();
  hlo.heap(0, 1);
  hlo.heap(1, 1);
  hlo.heap(0, 2);
  Profile p;
  Programs(p).add("jit_f(1)", hlo_program(hlo.proto()));
  const ProgramBuffers& buffers = p.program_buffers;
  Lines lives;
  for (Row row = 0; row < buffers.rows(); ++row) {
    lives.push_back(std::string(p.text(buffers.value[row])) + " " + number(buffers.first[row]) + "-" + number(buffers.last[row]));
  }
  // The second heap begins at b, whatever the first did before; c is never freed.
  EXPECT_EQ(lives, (Lines{"b 1-1", "c 2-2", "d 3-3"}));
}

// A loop runs its condition (computation 3) before its body (2), as the heap does: places 0 x, 1 loop, 2 and 3 the condition,
// 4 to 6 the body, 7 y. A value of the body lives there, and not during the whole loop.
TEST(XplanePrograms, ALoopsConditionComesBeforeItsBody) {
  HloText hlo("jit_f", R"(computation 1
x = f32[8] parameter()
loop = f32[8] while(x) calls=2,3
y = f32[8] tanh(loop)
computation 2
state = f32[8] parameter()
first = f32[8] tanh(state)
second = f32[8] tanh(first)
computation 3
tested = f32[8] parameter()
less = pred[] compare(tested)
)");
  std::uint64_t id = 0;
  for (const char* name : {"less", "first", "second", "y"}) {
    ++id;
    hlo.buffer(id, name, 32, 1, id * 32, 0);
  }
  for (std::uint64_t value = 1; value <= 4; ++value) {
    hlo.heap(0, value);
    hlo.heap(1, value);
  }
  Profile p;
  Programs(p).add("jit_f(1)", hlo_program(hlo.proto()));
  Lines lives;
  for (Row row = 0; row < p.program_buffers.rows(); ++row)
    lives.push_back(std::string(p.text(p.program_buffers.value[row])) + " " + number(p.program_buffers.first[row]) + "-" +
                    number(p.program_buffers.last[row]));
  EXPECT_EQ(lives, (Lines{"less 3-3", "first 5-5", "second 6-6", "y 7-7"}));
}

// A stream with kernels of `names`, each 10 ns, launched by `owners`.
struct Stream {
  Profile p;
  Builder b{p};
  Programs programs{p};

  void kernel(std::string_view hlo_op, Row owner, Time duration, double flops = kUnknownReal, std::string_view name = "kernel") {
    const Row slice = static_cast<Row>(p.slices.rows());
    p.slices.start.push_back(slice * 100);
    p.slices.duration.push_back(duration);
    p.slices.lane.push_back(0);
    p.slices.parent.push_back(kNoRow);
    p.slices.name.push_back(p.strings.intern(name));
    p.slices.kind.push_back(SliceKind::kernel);
    p.slices.depth.push_back(0);
    p.slices.source.push_back(0);
    const Row work = add_unknown_row(p.device_work);
    p.device_work.slice[work] = slice;
    p.device_work.owner[work] = owner;
    ProgramUse use{};
    use.slice = slice;
    use.hlo_op = p.strings.intern(hlo_op);
    use.hlo_module = p.strings.intern("jit_f");
    use.program = 17;
    use.has_program = true;
    use.flops = flops;
    use.bytes = kUnknownReal;
    b.program_uses.add(use);
  }
};

TEST(XplanePrograms, KernelsOfOneExecutionShareItsCost) {
  Stream s;
  s.programs.add("jit_f(17)", hlo_program(program().proto()));
  s.kernel("dot.1", 100, 10);
  s.kernel("dot.1", 100, 30);
  s.kernel("dot.1", 200, 10);  // launched by another range: another execution
  s.kernel("slice.1", 200, 10);
  s.kernel("unheard.2", 200, 10, 7);
  add_program_work(s.b, s.programs);
  ASSERT_EQ(s.p.program_work.rows(), 5u);
  EXPECT_EQ(s.p.program_work.program_operator[0], Row{2});
  const WorkCosts& c = s.p.work_costs;
  ASSERT_EQ(c.rows(), 4u);
  EXPECT_EQ(c.flops[0], 1572864 / 4.0);
  EXPECT_EQ(c.flops[1], 1572864 * 3 / 4.0);
  EXPECT_EQ(c.bytes[0] + c.bytes[1], 106496);
  EXPECT_EQ(c.flops[2], 1572864);
  EXPECT_EQ(c.flops[3], 7);
  // The slice states what no module does.
  const Row made = s.p.program_work.program_operator[4];
  EXPECT_EQ(s.p.text(s.p.program_operators.name[made]), "unheard.2");
  EXPECT_EQ(s.p.program_operators.flops[made], 7);
}

TEST(XplanePrograms, MatrixUnitsCanRunProductsAloneOrFused) {
  Stream s;
  s.programs.add("jit_f(17)", hlo_program(program().proto()));
  for (const char* name : {"dot.1", "slice.1"}) {
    s.kernel(name, 100, 10);
    const Row row = add_unknown_row(s.p.operators);
    s.p.operators.slice[row] = row;
    s.p.operators.matrix_eligible[row] = false;
  }
  add_program_work(s.b, s.programs);
  find_matrix_operators(s.b);
  EXPECT_TRUE(s.p.operators.matrix_eligible[0]);
  EXPECT_FALSE(s.p.operators.matrix_eligible[1]);
}

TEST(XplanePrograms, KernelsOfAGraphBelongToTheOperatorsTheyAreNamedFor) {
  Stream s;
  s.programs.add("jit_f(17)", hlo_program(program().proto()));
  s.kernel("command_buffer", 100, 10, kUnknownReal, "memcpy128");
  s.kernel("command_buffer", 100, 10, kUnknownReal, "dot_1");
  s.kernel("command_buffer", 100, 10, kUnknownReal, "dot_1");  // a second execution, not a second part of one
  add_program_work(s.b, s.programs);
  ASSERT_EQ(s.p.program_work.rows(), 3u);
  EXPECT_EQ(s.p.text(s.p.program_operators.name[s.p.program_work.program_operator[0]]), "command_buffer");
  EXPECT_EQ(s.p.text(s.p.program_operators.name[s.p.program_work.program_operator[1]]), "dot.1");
  EXPECT_EQ(s.p.program_work.program_operator[2], s.p.program_work.program_operator[1]);
  ASSERT_EQ(s.p.work_costs.rows(), 2u);
  EXPECT_EQ(s.p.work_costs.flops[0], 1572864);
  EXPECT_EQ(s.p.work_costs.flops[1], 1572864);
}

// A graph of two library calls, replayed twice; the second time one of its kernels was not recorded.
TEST(XplanePrograms, KernelsOfLibrariesInAGraphAreTheCallsInOrder) {
  HloText hlo("jit_f", R"(computation 1
a = f32[64,96] parameter()
b = f32[96,128] parameter()
first = f32[64,128] custom-call(a, b) target="__cublas$gemm"
second = f32[64,128] custom-call(a, b) target="__cublas$gemm"
sum = f32[64,128] add(first, second)
)");
  Stream s;
  s.programs.add("jit_f(17)", hlo_program(hlo.proto()));
  for (const char* name : {"gemm_kernel", "other_gemm_kernel", "sum"}) s.kernel("graph_1", 100, 10, kUnknownReal, name);
  for (const char* name : {"gemm_kernel", "sum"}) s.kernel("graph_1", 200, 10, kUnknownReal, name);
  add_program_work(s.b, s.programs);
  Lines names;
  for (const Row row : s.p.program_work.program_operator) names.emplace_back(s.p.text(s.p.program_operators.name[row]));
  EXPECT_EQ(names, (Lines{"first", "second", "sum", "graph_1", "sum"}));
}

// The first transfer is not complete in the recording, the last one is still being sent when it is received.
TEST(XplanePrograms, TransfersOverTheNetworkAreSentAndReceived) {
  HloText hlo("jit_f", R"(computation 1
a = f32[64] parameter()
s = f32[64] send(a) channel=5 _xla_host_transfer_rendezvous="r" _xla_megascale_transfer_type="ONE_TO_ONE"
r = f32[64] recv(a) channel=5 _xla_host_transfer_rendezvous="r"
sd = f32[64] send-done(s) channel=5
rd = f32[64] recv-done(r) channel=5
local = f32[64] send(a) channel=6
)");
  Stream s;
  s.programs.add("jit_f(17)", hlo_program(hlo.proto()));
  add_unknown_row(s.p.lanes);
  s.p.lanes.overflow_of[0] = kNoRow;
  for (const char* name : {"rd", "r", "s", "sd", "rd", "local", "s", "rd", "sd"}) s.kernel(name, kNoRow, 10);
  add_program_work(s.b, s.programs);
  const NetworkTransfers& t = s.p.network_transfers;
  ASSERT_EQ(t.rows(), 2u);
  EXPECT_EQ(s.p.text(t.name[0]), "r");
  EXPECT_EQ(s.p.text(t.kind[1]), "ONE_TO_ONE");
  EXPECT_EQ((std::vector<Row>{t.receive[0], t.send[0], t.send_done[0], t.receive_done[0]}), (std::vector<Row>{1, 2, 3, 4}));
  EXPECT_EQ((std::vector<Row>{t.receive[1], t.send[1], t.send_done[1], t.receive_done[1]}), (std::vector<Row>{kNoRow, 6, 8, 7}));
  EXPECT_EQ(t.bytes[0], kUnknown);  // the group is not stated
}

TEST(XplanePrograms, AProgramThatCallsItselfIsRead) {
  HloText hlo("loop", R"(computation 1
f = f32[8] fusion() calls=1 kind=kLoop
)");
  Profile p;
  Programs(p).add("loop(1)", hlo_program(hlo.proto()));
  EXPECT_EQ(operators(p), Lines{"f loop fusion - -"});
  EXPECT_EQ(check_profile(p), Lines{});
}

}  // namespace
}  // namespace sightline::formats::xplane
