# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A real BOINC client without any project's server: a data directory with tasks of memory_task, and the client that runs them."""
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

PROJECT = "http://127.0.0.1:9/offline/"
FOLDER = "127.0.0.1_9_offline"
PASSWORD = "offline"
FAR = 4000000000
MEBIBYTE = 1 << 20

# Written as people write: by hand, with a comment, two spaces and no line end.
OWN_PREFERENCES = """<!-- my own -->
<global_preferences>
  <run_on_batteries>1</run_on_batteries>
  <run_if_user_active>1</run_if_user_active>
  <ram_max_used_busy_pct>80</ram_max_used_busy_pct>
  <ram_max_used_idle_pct>80.000000</ram_max_used_idle_pct>
  <leave_apps_in_memory>0</leave_apps_in_memory>
  <suspend_cpu_usage>0</suspend_cpu_usage>
  <disk_interval>1</disk_interval>
</global_preferences>  """


@dataclass
class Task:
    name: str
    megabytes: int
    seconds: int = 3600
    deadline: int = FAR


def client_state(tasks: list[Task]) -> str:
    works = "".join(f"""
<workunit><name>{task.name}</name><app_name>memory</app_name><version_num>100</version_num><rsc_fpops_est>1e15</rsc_fpops_est>
<rsc_fpops_bound>1e19</rsc_fpops_bound><rsc_memory_bound>{task.megabytes * 1.2 * MEBIBYTE}</rsc_memory_bound><rsc_disk_bound>1e9</rsc_disk_bound>
<command_line>{task.megabytes} {task.seconds}</command_line></workunit>""" for task in tasks)
    results = "".join(f"""
<result><name>{task.name}_0</name><final_cpu_time>0</final_cpu_time><exit_status>0</exit_status><state>2</state>
<platform>x86_64-pc-linux-gnu</platform><version_num>100</version_num><wu_name>{task.name}</wu_name>
<report_deadline>{task.deadline}</report_deadline><received_time>1000000000</received_time></result>""" for task in tasks)
    return f"""<client_state>
<project><master_url>{PROJECT}</master_url><project_name>offline</project_name><anonymous_platform/>
<dont_request_more_work/><min_rpc_time>{FAR}</min_rpc_time></project>
<app><name>memory</name><user_friendly_name>Memory &amp; time</user_friendly_name><non_cpu_intensive>0</non_cpu_intensive></app>
<file><name>memory_task</name><status>1</status><executable/></file>
<app_version><app_name>memory</app_name><version_num>100</version_num><platform>x86_64-pc-linux-gnu</platform><avg_ncpus>0.1</avg_ncpus>
<flops>1e9</flops><file_ref><file_name>memory_task</file_name><main_program/></file_ref></app_version>{works}{results}
<platform_name>x86_64-pc-linux-gnu</platform_name><core_client_major_version>7</core_client_major_version>
<core_client_minor_version>20</core_client_minor_version><core_client_release>5</core_client_release>
<user_run_request>2</user_run_request><user_network_request>3</user_network_request>
</client_state>
"""


def exchange(connection: socket.socket, request: str) -> str:
    connection.sendall(f"<boinc_gui_rpc_request>\n{request}\n</boinc_gui_rpc_request>\n\003".encode())
    answer = b""
    while not answer.endswith(b"\003"):
        piece = connection.recv(65536)
        if not piece:
            raise ConnectionResetError("the client closed the connection")
        answer += piece
    return answer[:-1].decode(errors="replace")


class OfflineClient:
    """program: the client, as a list of words. port: of its GUI RPC. alone: it locks its
    data directory, as Debian's service does, and may be the only client of this network namespace. unix: it listens at a Unix socket,
    and at no port."""

    def __init__(self, data: Path, memory_task: Path, tasks: list[Task], port: int = 31501, program: tuple[str, ...] = ("boinc",),
                 alone: bool = False, unix: bool = False) -> None:
        self.data, self.port, self.program = data, port, program
        self.socket = data / "boinc_socket" if unix else None
        self.sharing = () if alone else ("--allow_multiple_clients",)
        self.process: subprocess.Popen | None = None
        project = data / "projects" / FOLDER
        project.mkdir(parents=True)
        shutil.copy(memory_task, project / "memory_task")
        (project / "app_info.xml").write_text("""<app_info>
<app><name>memory</name><user_friendly_name>Memory &amp; time</user_friendly_name></app>
<file_info><name>memory_task</name><executable/></file_info>
<app_version><app_name>memory</app_name><version_num>100</version_num><avg_ncpus>0.1</avg_ncpus><flops>1e9</flops>
<file_ref><file_name>memory_task</file_name><main_program/></file_ref></app_version>
</app_info>
""")
        (data / f"account_{FOLDER}.xml").write_text(
            f"<account><master_url>{PROJECT}</master_url><authenticator>0</authenticator></account>\n")
        (data / "gui_rpc_auth.cfg").write_text(PASSWORD + "\n")
        (data / "gui_rpc_auth.cfg").chmod(0o640)
        (data / "cc_config.xml").write_text("""<cc_config><log_flags><task>1</task><mem_usage_debug>1</mem_usage_debug></log_flags>
<options><skip_cpu_benchmarks>1</skip_cpu_benchmarks><dont_contact_ref_site>1</dont_contact_ref_site>
<ncpus>8</ncpus></options></cc_config>
""")
        self.preferences.write_text(OWN_PREFERENCES)
        (data / "client_state.xml").write_text(client_state(tasks))

    @property
    def preferences(self) -> Path:
        return self.data / "global_prefs_override.xml"

    @property
    def log(self) -> str:
        return (self.data / "log").read_text(errors="replace") if (self.data / "log").exists() else ""

    def start(self) -> None:
        with (self.data / "log").open("a") as log:
            self.process = subprocess.Popen(
                [*self.program, "--dir", str(self.data), *self.sharing,
                 *(["--gui_rpc_unix_domain"] if self.socket else ["--gui_rpc_port", str(self.port)]), "--skip_cpu_benchmarks", "--no_gpus", "--no_info_fetch"],
                stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        self.wait_for(self.answers, "the client answers")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        if how == signal.SIGKILL:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        try:
            self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None

    def answers(self) -> bool:
        try:
            self.ask("<exchange_versions/>")
        except OSError:
            return False
        return True

    def connect(self) -> socket.socket:
        if self.socket is None:
            return socket.create_connection(("127.0.0.1", self.port), timeout=150)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(150)
        try:
            connection.connect(str(self.socket))
        except OSError:
            connection.close()
            raise
        return connection

    def ask_openly(self, *requests: str) -> str:
        """The bytes of the last answer."""
        with self.connect() as connection:
            for request in requests:
                answer = exchange(connection, request)
            return answer

    def ask(self, *requests: str) -> str:
        """The bytes of the last answer. Authenticates first."""
        with self.connect() as connection:
            nonce = re.search(r"<nonce>([^<]*)", exchange(connection, "<auth1/>"))[1]
            exchange(connection, f"<auth2>\n<nonce_hash>{hashlib.md5((nonce + PASSWORD).encode()).hexdigest()}</nonce_hash>\n</auth2>")
            for request in requests:
                answer = exchange(connection, request)
            return answer

    def tasks(self) -> dict[str, ET.Element]:
        answer = self.ask("<get_results>\n<active_only>0</active_only>\n</get_results>")
        return {result.findtext("name"): result for result in ET.fromstring(answer).iter("result")}

    def task_op(self, operation: str, name: str) -> None:
        self.ask(f"<{operation}_result>\n<project_url>{PROJECT}</project_url>\n<name>{name}</name>\n</{operation}_result>")

    def wait_for(self, condition, what: str, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {what}\n{self.log[-3000:]}")
            time.sleep(0.2)
