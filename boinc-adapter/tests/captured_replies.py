#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the replies of the client TMM_BOINC_CLIENT into boinc-adapter/rpc/captured/VERSION/; boinc-adapter/tests/capture calls it."""
import os
import re
import shlex
import tempfile
import time
from pathlib import Path

from offline_client import PROJECT, OfflineClient, Task

HERE = Path(__file__).resolve().parent
MEMORY_TASK = Path(os.environ["TMM_BUILD"]) / "boinc-adapter/tests/memory_task"
RUNNING, SUSPENDED = "wu_a_0", "wu_b_0"
# A name with a space comes as it is.
TASKS = [Task("wu_a", 20), Task("wu_b", 300), Task("wu c", 10)]


def suspend(project: str) -> str:
    return f"<suspend_result>\n<project_url>{project}</project_url>\n<name>{SUSPENDED}</name>\n</suspend_result>"


def is_measured(client: OfflineClient) -> bool:
    """All tasks execute, have written a checkpoint, and have their memory."""
    tasks = client.tasks().values()
    return all(float(task.findtext(f"active_task/{name}", "0")) > least for task in tasks
               for name, least in (("checkpoint_cpu_time", 0), ("working_set_size_smoothed", 5e6))) and \
        float(client.tasks()[SUSPENDED].findtext("active_task/working_set_size")) > 3e8


def without_host(text: str) -> str:
    """These tell of the machine, and no program here reads them."""
    text = re.sub(r"(<project_dir>)[^<]*/projects", r"\1/var/lib/boinc/projects", text)
    text = re.sub(r"(<p_features>)[^<]*", r"\1fpu", text)
    text = re.sub(r"(<(p_vendor|p_model|os_version|product_name)>)[^<]*", r"\1host", text)
    return re.sub(r"(<(host_cpid|external_cpid|cross_project_id)>)[^<]+", r"\g<1>0", text)


def replies(client: OfflineClient) -> dict[str, str]:
    results = "<get_results>\n<active_only>0</active_only>\n</get_results>"
    never = "<set_run_mode>\n<never/>\n<duration>20</duration>\n</set_run_mode>"
    client.wait_for(lambda: is_measured(client), "all tasks run")
    client.ask(suspend(PROJECT))
    client.wait_for(lambda: client.tasks()[SUSPENDED].findtext("active_task/active_task_state", "0") == "0", "one has ended")
    captured = {"auth1": client.ask_openly("<auth1/>"),
                "auth2_wrong": client.ask_openly("<auth1/>", "<auth2>\n<nonce_hash>0</nonce_hash>\n</auth2>"),
                "unauthorized": client.ask_openly(never),
                "bad_task": client.ask(suspend("http://127.0.0.1:9/none/")),
                "unknown": client.ask("<no_such_request/>"),
                "read_prefs": client.ask("<read_global_prefs_override/>"),
                "get_results": client.ask(results)}
    for name in ("exchange_versions", "get_cc_status", "get_global_prefs_override", "get_global_prefs_working", "get_host_info", "get_state"):
        captured[name] = client.ask(f"<{name}/>")
    captured["set_run_mode"] = client.ask(never)
    time.sleep(2)  # the client acts on it
    captured["get_cc_status_never"] = client.ask("<get_cc_status/>")
    return captured


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        client = OfflineClient(Path(folder), MEMORY_TASK, TASKS, program=tuple(shlex.split(os.environ["TMM_BOINC_CLIENT"])))
        try:
            client.start()
            captured = replies(client)
        finally:
            client.stop()
    version = ".".join(re.search(rf"<{part}>(\d+)", captured["exchange_versions"])[1] for part in ("major", "minor"))
    target = HERE.parent / "rpc/captured" / version
    target.mkdir(exist_ok=True)
    for name, text in captured.items():
        (target / f"{name}.xml").write_text(without_host(text))
    print(target.relative_to(Path.cwd()))


if __name__ == "__main__":
    main()
