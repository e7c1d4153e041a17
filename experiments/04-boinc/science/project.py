# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The data directory of a BOINC client that has a queue of tasks, and no project's server."""

import pathlib
import shutil

PROJECT = "http://127.0.0.1:9/science/"
FOLDER = "127.0.0.1_9_science"
FAR = 4000000000

# A desktop with 8 GB and eight processors, one for a task. Its tasks of 200 MB to 2 GB, in the order in which they came.
DESKTOP_MB = 8192
DESKTOP_TASKS_MB = (400, 1600, 200, 800, 2048, 400, 1200, 200, 800, 400, 1200, 200)
PROCESSORS = 8


def tasks_mb(ram_mb: int) -> list[int]:
    """The same shares of a smaller memory."""
    return [round(mb * ram_mb / DESKTOP_MB) for mb in DESKTOP_TASKS_MB]


def version(indent: str = "") -> str:
    return (f"<app_version><app_name>science</app_name><version_num>100</version_num>{indent}<avg_ncpus>1</avg_ncpus><flops>1e9</flops>"
            "<file_ref><file_name>science_task</file_name><main_program/></file_ref></app_version>\n")


def client_state(sizes_mb: list[int]) -> str:
    """A client that never asks a server, and whose tasks are far from their deadlines. A project states a fifth more memory than a
    task needs."""
    works = "".join(f"<workunit><name>task{i}</name><app_name>science</app_name><version_num>100</version_num><rsc_fpops_est>1e15</rsc_fpops_est>"
                    f"<rsc_fpops_bound>1e19</rsc_fpops_bound><rsc_memory_bound>{mb * 1.2 * 2**20:.0f}</rsc_memory_bound>"
                    f"<rsc_disk_bound>1e9</rsc_disk_bound><command_line>{mb}</command_line></workunit>\n"
                    for i, mb in enumerate(sizes_mb))
    results = "".join(f"<result><name>task{i}_0</name><final_cpu_time>0</final_cpu_time><exit_status>0</exit_status><state>2</state>"
                      f"<platform>x86_64-pc-linux-gnu</platform><version_num>100</version_num><wu_name>task{i}</wu_name>"
                      f"<report_deadline>{FAR}</report_deadline><received_time>{1000000000 + i}</received_time></result>\n"
                      for i in range(len(sizes_mb)))
    return (f"<client_state>\n<project><master_url>{PROJECT}</master_url><project_name>science</project_name><anonymous_platform/>"
            f"<dont_request_more_work/><min_rpc_time>{FAR}</min_rpc_time></project>\n"
            "<app><name>science</name><user_friendly_name>Science</user_friendly_name><non_cpu_intensive>0</non_cpu_intensive></app>\n"
            "<file><name>science_task</name><status>1</status><executable/></file>\n"
            f"{version('<platform>x86_64-pc-linux-gnu</platform>')}{works}{results}"
            "<platform_name>x86_64-pc-linux-gnu</platform_name><core_client_major_version>7</core_client_major_version>"
            "<core_client_minor_version>20</core_client_minor_version><core_client_release>5</core_client_release>\n"
            "<user_run_request>2</user_run_request><user_network_request>3</user_network_request>\n</client_state>\n")


def write(folder: pathlib.Path, task: pathlib.Path, ram_mb: int) -> None:
    """Makes the folder. task: the program. Preferences are those of a system, and not in it."""
    project = folder / "projects" / FOLDER
    project.mkdir(parents=True)
    shutil.copy2(task, project / "science_task")
    (project / "app_info.xml").write_text(
        "<app_info>\n<app><name>science</name><user_friendly_name>Science</user_friendly_name></app>\n"
        f"<file_info><name>science_task</name><executable/></file_info>\n{version()}</app_info>\n", encoding="ascii")
    (folder / f"account_{FOLDER}.xml").write_text(
        f"<account><master_url>{PROJECT}</master_url><authenticator>0</authenticator></account>\n", encoding="ascii")
    (folder / "gui_rpc_auth.cfg").write_text("offline\n", encoding="ascii")
    (folder / "cc_config.xml").write_text(
        "<cc_config><log_flags><task>1</task><cpu_sched>1</cpu_sched></log_flags><options><skip_cpu_benchmarks>1</skip_cpu_benchmarks>"
        f"<dont_contact_ref_site>1</dont_contact_ref_site><ncpus>{PROCESSORS}</ncpus></options></cc_config>\n", encoding="ascii")
    (folder / "client_state.xml").write_text(client_state(tasks_mb(ram_mb)), encoding="ascii")
