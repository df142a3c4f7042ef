"""check_layers on tiny trees: a good one passes, and each kind of violation is found and named."""
import pathlib
import subprocess

TOOL = pathlib.Path(__file__).parent / "check_layers"


def check(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    run = subprocess.run([TOOL, tmp_path], capture_output=True, text=True)
    return run.returncode, run.stdout


def test_good_tree_passes(tmp_path):
    good = '#include "base/result.h"\n#include <vector>\nint step_count; // CUDA says "stream"\nauto relationship = 1;\n'
    assert check(tmp_path, {"src/analyses/a.cc": good, "src/formats/kineto/k.cc": "int cuda_stream;\n"})[0] == 0


def test_upward_include_fails(tmp_path):
    code, text = check(tmp_path, {"src/model/a.cc": '#include "engine/open.h"\n'})
    assert code == 1 and "a.cc:1" in text and "engine/open.h" in text


def test_middle_layers_do_not_include_each_other(tmp_path):
    assert check(tmp_path, {"src/timeline/a.h": '#include "formats/reader.h"\n'})[0] == 1


def test_vendor_identifier_fails_unless_marked(tmp_path):
    assert check(tmp_path, {"src/engine/a.cc": "bool is_cuda;\n"})[0] == 1
    assert check(tmp_path, {"src/engine/a.cc": "struct NcclGroup;\n"})[0] == 1
    assert check(tmp_path, {"src/engine/a.cc": "bool is_cuda; // vendor: the recorder's own flag\n"})[0] == 0


def test_vendor_folder_uses_its_own_words_only(tmp_path):
    assert check(tmp_path, {"src/analyses/neuron/a.cc": "int neff_size;\n"})[0] == 0
    code, text = check(tmp_path, {"src/analyses/neuron/a.cc": "int hccl_size;\n"})
    assert code == 1 and "'hccl' is a vendor's word" in text


def test_only_the_registry_includes_a_vendor_folder(tmp_path):
    include = {"src/analyses/registry.cc": '#include "analyses/neuron/neuron.h"\nauto all = neuron_rules();\n'}
    assert check(tmp_path, {**include, "src/analyses/neuron/b.cc": include["src/analyses/registry.cc"]})[0] == 0
    for generic in ("analyses/steps/a.cc", "analyses/ascend/a.cc", "engine/a.cc"):
        code, text = check(tmp_path, {f"src/{generic}": '#include "analyses/neuron/neuron.h"\n'})
        assert code == 1 and "only analyses/registry.cc includes analyses/neuron/" in text
        (tmp_path / "src" / generic).unlink()


def test_vendor_in_a_text_fails_unless_cited_or_marked(tmp_path):
    def code(line):
        return check(tmp_path, {"src/analyses/steps/a.cc": line})[0]

    assert code('auto text = "a kernel of NCCL";\n') == 1
    assert code('auto text = "as nccl-tests counts it";\n') == 0
    assert code('// vendor: names of runtime calls\nauto calls = {"cudaMalloc",\n  "hipMalloc"};\n') == 0
    assert code('// vendor: names of runtime calls\nauto call = "cudaMalloc";\nauto other = "hipMalloc";\n') == 1


def test_vendor_in_a_text_fails_in_every_layer_but_formats_and_capture(tmp_path):
    layers = "base model formats analyses timeline store sql capture engine output agent server cli".split()
    code, text = check(tmp_path, {f"src/{layer}/a.cc": 'auto text = "a kernel of NCCL";\n' for layer in layers})
    assert code == 1
    assert {layer for layer in layers if f"{layer}/a.cc:1: 'nccl' is a vendor's word" in text} == {*layers} - {"formats", "capture"}


def test_each_layer_has_its_namespace(tmp_path):
    assert check(tmp_path, {"src/engine/a.h": "namespace sightline::engine {\n}\n"})[0] == 0
    assert check(tmp_path, {"src/engine/a.h": "namespace sightline::model {\nclass Report;\n}\n"})[0] == 0
    for wrong in ("sightline", "sightline::server", "sightline::sql2"):
        code, text = check(tmp_path, {"src/engine/a.h": "\nnamespace %s {\n}\n" % wrong})
        assert code == 1 and "a.h:2: the namespace of src/engine/ is sightline::engine" in text


def test_two_types_of_one_name_fail(tmp_path):
    header = "namespace sightline::model {\nstruct Sum%s{\n  int a;\n};\n}\n"
    code, text = check(tmp_path, {"src/model/a.h": header % " ", "src/model/b.h": header % " final : public Base "})
    assert code == 1 and "b.h:2: sightline::model::Sum is also a type of " in text
    code, text = check(tmp_path, {"src/model/b.h": header.replace("::model", "::model::parts") % " "})
    assert code == 0, text


def test_unknown_folder_fails(tmp_path):
    assert check(tmp_path, {"src/utils/a.cc": "\n"})[0] == 1


def test_large_file_fails(tmp_path):
    code, text = check(tmp_path, {"big.txt": "x" * (385 * 1024)})
    assert code == 1 and "big.txt" in text
