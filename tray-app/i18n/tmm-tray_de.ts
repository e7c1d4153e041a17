<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>Boinc</name>
    <message>
        <source>BOINC follows tmmd.</source>
        <translation>BOINC folgt tmmd.</translation>
    </message>
    <message>
        <source>BOINC %1 follows tmmd.</source>
        <translation>BOINC %1 folgt tmmd.</translation>
    </message>
    <message>
        <source>No BOINC client answers. An administrator can start it with: systemctl start boinc-client</source>
        <translation>Kein BOINC-Client antwortet. Ein Systemverwalter kann ihn starten mit: systemctl start boinc-client</translation>
    </message>
    <message>
        <source>The service tmmd does not work, so BOINC has its own limits only.</source>
        <translation>Der Dienst tmmd arbeitet nicht; für BOINC gelten nur dessen eigene Grenzen.</translation>
    </message>
    <message>
        <source>The BOINC client refuses orders, so its tasks are only shown. To change that, let the group boinc read its gui_rpc_auth.cfg, and restart the client.</source>
        <translation>Der BOINC-Client nimmt keine Befehle an, daher werden seine Aufgaben nur angezeigt. Um das zu ändern, geben Sie der Gruppe boinc Leserecht für seine gui_rpc_auth.cfg und starten Sie den Client neu.</translation>
    </message>
    <message>
        <source>tmm-boinc is in trouble. An administrator can read why with: journalctl -u tmm-boinc</source>
        <translation>tmm-boinc ist gestört. Ein Systemverwalter erfährt den Grund mit: journalctl -u tmm-boinc</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Waits for %1</source>
        <translation>Wartet auf %1</translation>
    </message>
    <message>
        <source>Waits for memory</source>
        <translation>Wartet auf Speicher</translation>
    </message>
    <message>
        <source>Paused while nothing is given</source>
        <translation>Pausiert, solange nichts abgegeben wird</translation>
    </message>
    <message>
        <source>Suspended in BOINC</source>
        <translation>In BOINC angehalten</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>Noch nicht begonnen</translation>
    </message>
    <message>
        <source>Is about to end</source>
        <translation>Endet gleich</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>weekday, date</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>tmm-boinc does not run. An administrator can start it with: systemctl start tmm-boinc</source>
        <translation>tmm-boinc läuft nicht. Ein Systemverwalter kann es starten mit: systemctl start tmm-boinc</translation>
    </message>
    <message>
        <source>tmm-boinc does not run.</source>
        <translation>tmm-boinc läuft nicht.</translation>
    </message>
    <message>
        <source>Tasks that are not contributions: %1. Those that began before tmm-boinc become contributions when BOINC restarts, and go on from their last checkpoint. Tasks in Docker or VirtualBox stay outside.</source>
        <translation>Aufgaben, die keine Beiträge sind: %1. Aufgaben, die vor tmm-boinc begannen, werden nach einem Neustart von BOINC zu Beiträgen und setzen bei ihrem letzten Sicherungspunkt fort. Aufgaben in Docker oder VirtualBox bleiben außen vor.</translation>
    </message>
    <message>
        <source>%1; not a contribution</source>
        <translation>%1; kein Beitrag</translation>
    </message>
    <message>
        <source>No task has run since tmm-boinc was installed.</source>
        <translation>Seit tmm-boinc installiert ist, hat keine Aufgabe gerechnet.</translation>
    </message>
    <message>
        <source>In total: %1 of science, for %2 of memory. Science is processor time that reached a checkpoint.</source>
        <translation>Insgesamt: %1 Wissenschaft, dafür %2 Speicher. Wissenschaft ist Rechenzeit, die einen Sicherungspunkt erreicht hat.</translation>
    </message>
    <message>
        <source>BOINC does not use idle memory: tmm-boinc is not installed. An administrator can install it with: apt install tmm-boinc</source>
        <translation>BOINC verwendet keinen ungenutzten Speicher: tmm-boinc ist nicht installiert. Ein Systemverwalter kann es installieren mit: apt install tmm-boinc</translation>
    </message>
    <message>
        <source>The service of BOINC is not installed. An administrator can install it with: apt install boinc-client</source>
        <translation>Der Dienst von BOINC ist nicht installiert. Ein Systemverwalter kann ihn installieren mit: apt install boinc-client</translation>
    </message>
    <message>
        <source>BOINC does not use idle memory. You can let it do so on the page BOINC, or in the settings.</source>
        <translation>BOINC verwendet keinen ungenutzten Speicher. Sie können das auf der Seite BOINC oder in den Einstellungen erlauben.</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>Nothing was measured in this time.</source>
        <translation>In dieser Zeit wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>At %1 your programs used %2, contributions %3; %4 was free. At most %5 was given in this time.</source>
        <translation>Um %1 benutzten Ihre Programme %2, Beiträge %3; %4 waren frei. Höchstens %5 wurden in dieser Zeit abgegeben.</translation>
    </message>
</context>
<context>
    <name>Decision</name>
    <message>
        <source>Giving</source>
        <translation>Gibt ab</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Störung</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernt</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Korrigiert</translation>
    </message>
    <message>
        <source>Your programs need %1 of %2; contributions may use %3.</source>
        <translation>Ihre Programme brauchen %1 von %2; Beiträge dürfen %3 belegen.</translation>
    </message>
    <message>
        <source>The limits were corrected at once, because your programs waited for too many pages.</source>
        <translation>Die Grenzen wurden sofort korrigiert, weil Ihre Programme auf zu viele Seiten warten mussten.</translation>
    </message>
</context>
<context>
    <name>Failure</name>
    <message>
        <source>The service could not be started.</source>
        <translation>Der Dienst konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Contributions were not paused.</source>
        <translation>Die Beiträge wurden nicht pausiert.</translation>
    </message>
    <message>
        <source>The pause continues.</source>
        <translation>Die Pause dauert an.</translation>
    </message>
    <message>
        <source>Giving was not switched on or off.</source>
        <translation>Die Abgabe wurde nicht ein- oder ausgeschaltet.</translation>
    </message>
    <message>
        <source>The settings were not changed.</source>
        <translation>Die Einstellungen wurden nicht geändert.</translation>
    </message>
    <message>
        <source>The contribution was not changed.</source>
        <translation>Der Beitrag wurde nicht geändert.</translation>
    </message>
    <message>
        <source>This needs an administrator&apos;s password.</source>
        <translation>Das geht nur mit dem Passwort eines Systemverwalters.</translation>
    </message>
    <message>
        <source>It ended in the meantime.</source>
        <translation>Er ist inzwischen beendet.</translation>
    </message>
    <message>
        <source>The service does not answer. An administrator can start it with: systemctl start tmmd</source>
        <translation>Der Dienst antwortet nicht. Ein Systemverwalter kann ihn starten mit: systemctl start tmmd</translation>
    </message>
    <message>
        <source>It is not installed. Its package is tmm-daemon.</source>
        <translation>Er ist nicht installiert. Sein Paket heißt tmm-daemon.</translation>
    </message>
    <message>
        <source>BOINC was not allowed to use idle memory.</source>
        <translation>BOINC darf ungenutzten Speicher weiterhin nicht verwenden.</translation>
    </message>
    <message>
        <source>BOINC may still use idle memory.</source>
        <translation>BOINC darf ungenutzten Speicher weiterhin verwenden.</translation>
    </message>
    <message>
        <source>BOINC was not restarted.</source>
        <translation>BOINC wurde nicht neu gestartet.</translation>
    </message>
    <message>
        <source>It does not run as boinc-client.service.</source>
        <translation>Es läuft nicht als boinc-client.service.</translation>
    </message>
    <message>
        <source>The service %1 failed. An administrator can read why with: journalctl -u %1</source>
        <translation>Der Dienst %1 ist fehlgeschlagen. Ein Systemverwalter erfährt den Grund mit: journalctl -u %1</translation>
    </message>
    <message>
        <source>It is not installed. Its package is tmm-boinc.</source>
        <translation>Er ist nicht installiert. Sein Paket heißt tmm-boinc.</translation>
    </message>
    <message>
        <source>systemd does not answer. An administrator can try: systemctl %1 %2</source>
        <translation>systemd antwortet nicht. Ein Systemverwalter kann es versuchen mit: systemctl %1 %2</translation>
    </message>
    <message>
        <source>Contributions may still run. A terminal can stop them: systemctl --user stop transparent.slice</source>
        <translation>Möglicherweise laufen noch Beiträge. Beenden Sie sie in einem Terminal mit: systemctl --user stop transparent.slice</translation>
    </message>
    <message>
        <source>The division of soft memory was not changed.</source>
        <translation>Die Aufteilung des weichen Speichers wurde nicht geändert.</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>&lt; %1 %</source>
        <translation>&lt; %1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>tomorrow, %1</source>
        <translation>morgen, %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>date, time</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 GiB hours</source>
        <translation>%1 GiB-Stunden</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>User %1</source>
        <translation>Benutzer %1</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Memory cannot be given at the moment</source>
        <translation>Im Augenblick kann kein Speicher abgegeben werden</translation>
    </message>
    <message>
        <source>Contributions are on hold</source>
        <translation>Beiträge sind angehalten</translation>
    </message>
    <message>
        <source>Your programs need the memory.</source>
        <translation>Ihre Programme brauchen den Speicher.</translation>
    </message>
    <message>
        <source>Memory can be given again</source>
        <translation>Speicher kann wieder abgegeben werden</translation>
    </message>
    <message>
        <source>The service is not running any more</source>
        <translation>Der Dienst läuft nicht mehr</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>Your programs need %1 of %2; nothing is left to give.</source>
        <translation>Ihre Programme brauchen %1 von %2; es bleibt nichts abzugeben.</translation>
    </message>
    <message>
        <source>Your programs need %1 of %2; nothing is given, because there is no contribution.</source>
        <translation>Ihre Programme brauchen %1 von %2; nichts wird abgegeben, weil es keinen Beitrag gibt.</translation>
    </message>
    <message>
        <source>Your programs need %1 of %2; %3 are given.</source>
        <translation>Ihre Programme brauchen %1 von %2; %3 sind abgegeben.</translation>
    </message>
    <message>
        <source>Nothing is given from %1 to %2.</source>
        <translation>Von %1 bis %2 wird nichts abgegeben.</translation>
    </message>
    <message>
        <source>Nothing is given on the battery.</source>
        <translation>Im Akkubetrieb wird nichts abgegeben.</translation>
    </message>
    <message>
        <source>Nothing is given, because the service cannot tell whether this computer is on mains power.</source>
        <translation>Es wird nichts abgegeben, weil der Dienst nicht weiß, ob dieser Computer am Stromnetz hängt.</translation>
    </message>
    <message>
        <source>Memory is given only after nobody has used this computer for %1 min.</source>
        <translation>Speicher wird erst abgegeben, wenn niemand diesen Computer %1 min lang benutzt hat.</translation>
    </message>
    <message>
        <source>Nothing is given, because the service cannot tell whether somebody uses this computer.</source>
        <translation>Es wird nichts abgegeben, weil der Dienst nicht weiß, ob jemand diesen Computer benutzt.</translation>
    </message>
    <message>
        <source>Your programs waited for memory, so contributions are frozen until that is over.</source>
        <translation>Ihre Programme warteten auf Speicher; bis das vorbei ist, bleiben Beiträge eingefroren.</translation>
    </message>
    <message>
        <source>Compressed swap takes %1, so contributions are frozen to leave your programs enough.</source>
        <translation>Komprimierte Auslagerung belegt %1; damit Ihren Programmen genug bleibt, sind Beiträge eingefroren.</translation>
    </message>
    <message>
        <source>Your programs lack %1, so contributions are frozen until they have it back.</source>
        <translation>Ihren Programmen fehlen %1; bis sie diese zurückhaben, bleiben Beiträge eingefroren.</translation>
    </message>
    <message>
        <source>The service is learning how much your programs need. Contributions get only free memory.</source>
        <translation>Der Dienst lernt, wie viel Ihre Programme brauchen. Beiträge bekommen nur freien Speicher.</translation>
    </message>
    <message>
        <source>The kernel does not show which memory is used. Contributions get only free memory.</source>
        <translation>Der Kernel zeigt nicht, welcher Speicher benutzt wird. Beiträge bekommen nur freien Speicher.</translation>
    </message>
    <message>
        <source>No memory is given until you switch giving on again.</source>
        <translation>Es wird kein Speicher abgegeben, bis Sie die Abgabe wieder einschalten.</translation>
    </message>
    <message>
        <source>Contributions are paused. Your programs can use all memory.</source>
        <translation>Beiträge sind pausiert. Ihre Programme können den ganzen Speicher benutzen.</translation>
    </message>
    <message>
        <source>An administrator set this condition.</source>
        <translation>Diese Bedingung hat ein Systemverwalter gesetzt.</translation>
    </message>
    <message>
        <source>This system has no cgroup v2 for memory, so no memory is given. The command tmmctl doctor says what to do.</source>
        <translation>Diesem System fehlt cgroup v2 für Speicher; darum wird kein Speicher abgegeben. Der Befehl tmmctl doctor sagt, was zu tun ist.</translation>
    </message>
    <message>
        <source>The service cannot work at the moment: “%1”. The command tmmctl doctor says what to do.</source>
        <translation>Der Dienst kann zurzeit nicht arbeiten: „%1“. Der Befehl tmmctl doctor sagt, was zu tun ist.</translation>
    </message>
    <message>
        <source>Your programs can use all memory: the kernel takes it from contributions first.</source>
        <translation>Ihre Programme können den ganzen Speicher benutzen: Der Kernel nimmt ihn zuerst den Beiträgen weg.</translation>
    </message>
    <message>
        <source>Contributions run like any other program, and may take memory that your programs need.</source>
        <translation>Beiträge laufen wie jedes andere Programm und können Speicher belegen, den Ihre Programme brauchen.</translation>
    </message>
</context>
<context>
    <name>Soft</name>
    <message>
        <source>It may have %1, which is all that it could use.</source>
        <translation>Es darf %1 haben; mehr könnte es nicht benutzen.</translation>
    </message>
    <message>
        <source>It may have %1. More would save it almost nothing, so others come first.</source>
        <translation>Es darf %1 haben. Mehr würde ihm fast nichts ersparen, daher gehen andere vor.</translation>
    </message>
    <message>
        <source>It may have %1. 100 MiB more would save %2 of its work, but all soft memory together may have at most %3.</source>
        <translation>Es darf %1 haben. 100 MiB mehr würden ihm %2 seiner Arbeit ersparen, doch der gesamte weiche Speicher darf höchstens %3 umfassen.</translation>
    </message>
    <message>
        <source>It may have %1. 100 MiB more would save %2 of its work, but other programs need the memory, or gain more from it.</source>
        <translation>Es darf %1 haben. 100 MiB mehr würden ihm %2 seiner Arbeit ersparen, doch andere Programme brauchen den Speicher oder gewinnen mehr durch ihn.</translation>
    </message>
</context>
<context>
    <name>StartFailure</name>
    <message>
        <source>“%1” is not a program that you may run.</source>
        <translation>„%1“ ist kein Programm, das Sie ausführen dürfen.</translation>
    </message>
    <message>
        <source>“%1” was not started, because maketransparent is not installed. An administrator can install it with: apt install maketransparent</source>
        <translation>„%1“ wurde nicht gestartet, weil maketransparent nicht installiert ist. Ein Systemverwalter kann es installieren mit: apt install maketransparent</translation>
    </message>
    <message>
        <source>“%1” was not started. The reason: %2</source>
        <translation>„%1“ wurde nicht gestartet. Der Grund: %2</translation>
    </message>
    <message>
        <source>“%1” ended with exit status %2. If it needs arguments, start it in a terminal: maketransparent PROGRAM ARGUMENTS</source>
        <translation>„%1“ endete mit dem Rückgabewert %2. Wenn es Argumente braucht, starten Sie es in einem Terminal: maketransparent PROGRAMM ARGUMENTE</translation>
    </message>
</context>
<context>
    <name>UsageSummary</name>
    <message>
        <source>of the last hour your programs waited for memory</source>
        <translation>der letzten Stunde haben Ihre Programme auf Speicher gewartet</translation>
    </message>
    <message>
        <source>of the last day your programs waited for memory</source>
        <translation>der letzten 24 Stunden haben Ihre Programme auf Speicher gewartet</translation>
    </message>
    <message>
        <source>of the last week your programs waited for memory</source>
        <translation>der letzten Woche haben Ihre Programme auf Speicher gewartet</translation>
    </message>
    <message>
        <source>In the last minute: %1</source>
        <translation>In der letzten Minute: %1</translation>
    </message>
    <message>
        <source>Expected slowdown: %1</source>
        <translation>Erwartete Verlangsamung: %1</translation>
    </message>
    <message>
        <source>Page faults after you came back: %1; the last time: %2</source>
        <translation>Seitenfehler nach Ihrer Rückkehr: %1; beim letzten Mal: %2</translation>
    </message>
    <message>
        <source>Soft memory, which they give back when others need it: %1</source>
        <translation>Weicher Speicher, den sie zurückgeben, wenn ihn andere brauchen: %1</translation>
    </message>
    <message>
        <source>donated in the last hour</source>
        <translation>in der letzten Stunde gespendet</translation>
    </message>
    <message>
        <source>donated in the last day</source>
        <translation>in den letzten 24 Stunden gespendet</translation>
    </message>
    <message>
        <source>donated in the last week</source>
        <translation>in der letzten Woche gespendet</translation>
    </message>
    <message>
        <source>Given now: %1</source>
        <translation>Jetzt abgegeben: %1</translation>
    </message>
    <message>
        <source>Donated since installation: %1</source>
        <translation>Seit der Installation gespendet: %1</translation>
    </message>
</context>
<context>
    <name>View</name>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Paused until %1</source>
        <translation>Pausiert bis %1</translation>
    </message>
    <message>
        <source>No system bus</source>
        <translation>Kein Systembus</translation>
    </message>
    <message>
        <source>The service is not running</source>
        <translation>Der Dienst läuft nicht</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt …</translation>
    </message>
    <message>
        <source>Giving %1</source>
        <translation>Gibt %1 ab</translation>
    </message>
    <message>
        <source>Ready to give</source>
        <translation>Bereit, Speicher abzugeben</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Störung</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Your programs use %1 of %2.</source>
        <translation>Ihre Programme benutzen %1 von %2.</translation>
    </message>
    <message>
        <source>This window cannot reach the system bus, so it cannot show the service. It keeps trying.</source>
        <translation>Dieses Fenster erreicht den Systembus nicht und kann den Dienst darum nicht anzeigen. Es versucht es weiter.</translation>
    </message>
    <message>
        <source>No memory is given at the moment.</source>
        <translation>Im Augenblick wird kein Speicher abgegeben.</translation>
    </message>
    <message>
        <source>Pause for 30 minutes</source>
        <translation>30 Minuten pausieren</translation>
    </message>
    <message>
        <source>Pause for an hour</source>
        <translation>Eine Stunde pausieren</translation>
    </message>
    <message>
        <source>Pause until tomorrow</source>
        <translation>Bis morgen pausieren</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Start the service</source>
        <translation>Dienst starten</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Pause until I resume it</source>
        <translation>Pausieren, bis ich fortsetze</translation>
    </message>
    <message>
        <source>Transparent Memory: %1</source>
        <translation>Transparenter Speicher: %1</translation>
    </message>
    <message>
        <source>%1; time spent waiting for memory: %2</source>
        <translation>%1; Wartezeit auf Speicher: %2</translation>
    </message>
    <message>
        <source>Without the service tmmd, nothing is measured or limited.</source>
        <translation>Ohne den Dienst tmmd wird nichts gemessen und nichts begrenzt.</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>This computer cannot give memory yet</source>
        <translation>Dieser Computer kann noch keinen Speicher abgeben</translation>
    </message>
    <message>
        <source>Give the memory that you do not use</source>
        <translation>Geben Sie den Speicher ab, den Sie nicht benutzen</translation>
    </message>
    <message>
        <source>Transparent Memory needs cgroup v2 with a memory controller. This system has none, so no memory is given, and your programs use all of it as always.</source>
        <translation>„Transparenter Speicher“ braucht cgroup v2 mit einem Controller für Speicher. Diesem System fehlt er; darum wird kein Speicher abgegeben, und Ihre Programme benutzen wie immer den ganzen Speicher.</translation>
    </message>
    <message>
        <source>The command tmmctl doctor says what is missing and how to get it. The manual page tmmd(8) explains it in its section KERNEL.</source>
        <translation>Der Befehl tmmctl doctor sagt, was fehlt und wie man es bekommt. Die Handbuchseite tmmd(8) erklärt es im Abschnitt KERNEL.</translation>
    </message>
    <message>
        <source>You need not do anything else. Once nothing is missing, this window asks whether to give memory.</source>
        <translation>Mehr müssen Sie nicht tun. Sobald nichts mehr fehlt, fragt dieses Fenster, ob Speicher abgegeben werden soll.</translation>
    </message>
    <message>
        <source>Your computer seldom uses all of its memory. The rest can go to contributions that you choose, such as science or rendering.</source>
        <translation>Ihr Computer benutzt selten seinen ganzen Speicher. Der Rest kann an Beiträge gehen, die Sie wählen, etwa Forschung oder Bildberechnung.</translation>
    </message>
    <message>
        <source>Your own programs come first. They get their memory back before you notice, and nobody ever reads the contents of your memory.</source>
        <translation>Ihre eigenen Programme gehen vor. Sie bekommen ihren Speicher zurück, bevor Sie es merken; seinen Inhalt liest niemand.</translation>
    </message>
    <message>
        <source>You can pause giving at any time, from the icon in the panel or in this window, and switch it off in the settings.</source>
        <translation>Sie können die Abgabe jederzeit pausieren, über das Symbol in der Leiste oder in diesem Fenster, und sie in den Einstellungen ausschalten.</translation>
    </message>
    <message>
        <source>Should this computer give its unused memory to contributions?</source>
        <translation>Soll dieser Computer seinen ungenutzten Speicher an Beiträge abgeben?</translation>
    </message>
    <message>
        <source>Whether this computer gives memory has been decided already; the window shows it.</source>
        <translation>Ob dieser Computer Speicher abgibt, ist schon entschieden; das Fenster zeigt es.</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Transparent Memory</source>
        <translation>Transparenter Speicher</translation>
    </message>
</context>
<context>
    <name>tmm::tray::AboutPage</name>
    <message>
        <source>Transparent Memory</source>
        <translation>Transparenter Speicher</translation>
    </message>
    <message>
        <source>© 2026 The TMM authors. Free software under the GNU General Public License, version 2 or later.</source>
        <translation>© 2026 Die Autoren von TMM. Freie Software unter der GNU General Public License, Version 2 oder später.</translation>
    </message>
    <message>
        <source>tmm-tray %1, Qt %2</source>
        <translation>tmm-tray %1, Qt %2</translation>
    </message>
    <message>
        <source>tmmd %1</source>
        <translation>tmmd %1</translation>
    </message>
    <message>
        <source>Source of samples: %1 (%2)</source>
        <translation>Quelle der Stichproben: %1 (%2)</translation>
    </message>
    <message>
        <source>Transparent Memory gives contributions the memory that your programs do not need. It takes the memory back when your programs need it.

It measures only how much memory is used, and when. It never reads the contents of memory, and it sends nothing anywhere.

Soft memory: a program can keep data that it can make again, such as a cache, in memory that the kernel may take at any time. Such programs use softlib; contributions do not need it.

To stop it, pause it from the icon, switch it off in the settings, or remove the package tmm-daemon.

Manual pages: tmm-tray(1), tmmctl(1) and tmmd(8).</source>
        <translation>„Transparenter Speicher“ gibt Beiträgen den Speicher, den Ihre Programme nicht brauchen. Brauchen Ihre Programme ihn wieder, wird er zurückgenommen.

Gemessen wird nur, wie viel Speicher wann benutzt wird. Der Inhalt des Speichers wird nie gelesen, und nichts wird irgendwohin gesendet.

Weicher Speicher: Ein Programm kann Daten, die es neu erzeugen kann, etwa einen Zwischenspeicher, in Speicher halten, den der Kernel jederzeit nehmen darf. Solche Programme benutzen softlib; Beiträge brauchen das nicht.

Sie können über das Symbol pausieren, in den Einstellungen ausschalten oder das Paket tmm-daemon entfernen.

Handbuchseiten: tmm-tray(1), tmmctl(1) und tmmd(8).</translation>
    </message>
</context>
<context>
    <name>tmm::tray::BoincPage</name>
    <message>
        <source>Let BOINC &amp;use idle memory</source>
        <translation>BOINC &amp;ungenutzten Speicher verwenden lassen</translation>
    </message>
    <message>
        <source>&amp;Restart BOINC</source>
        <translation>BOINC neu sta&amp;rten</translation>
    </message>
    <message>
        <source>Tasks of BOINC</source>
        <translation>Aufgaben von BOINC</translation>
    </message>
    <message>
        <source>By day</source>
        <translation>Nach Tagen</translation>
    </message>
    <message>
        <source>Science and donation by day</source>
        <translation>Wissenschaft und Spende nach Tagen</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Science</source>
        <translation>Wissenschaft</translation>
    </message>
    <message>
        <source>Donated</source>
        <translation>Gespendet</translation>
    </message>
    <message>
        <source>BOINC has no unfinished task.</source>
        <translation>BOINC hat keine offene Aufgabe.</translation>
    </message>
    <message>
        <source>The tasks of BOINC are shown while tmm-boinc runs.</source>
        <translation>Die Aufgaben von BOINC erscheinen hier, solange tmm-boinc läuft.</translation>
    </message>
</context>
<context>
    <name>tmm::tray::BoincQuestion</name>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>J&amp;etzt nicht</translation>
    </message>
    <message>
        <source>BOINC is installed: let it use idle memory?</source>
        <translation>BOINC ist installiert: Soll es ungenutzten Speicher verwenden?</translation>
    </message>
    <message>
        <source>The system asks an administrator, and then starts it. This may take a minute.</source>
        <translation>Das System fragt einen Systemverwalter und startet es dann. Das kann eine Minute dauern.</translation>
    </message>
    <message>
        <source>Its tasks get memory that your programs do not need, and stop when you pause. This needs an administrator&apos;s password once.</source>
        <translation>Seine Aufgaben bekommen Speicher, den Ihre Programme nicht brauchen, und ruhen, wenn Sie pausieren. Dazu ist einmal das Passwort eines Systemverwalters nötig.</translation>
    </message>
</context>
<context>
    <name>tmm::tray::BoincTasksModel</name>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Application</source>
        <translation>Anwendung</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>and %1 in swap</source>
        <translation>und %1 ausgelagert</translation>
    </message>
</context>
<context>
    <name>tmm::tray::ChartWidget</name>
    <message>
        <source>Memory use over time</source>
        <translation>Speichernutzung im Lauf der Zeit</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Your programs</source>
        <translation>Ihre Programme</translation>
    </message>
    <message>
        <source>Limit of contributions</source>
        <translation>Grenze der Beiträge</translation>
    </message>
    <message>
        <source>Limit of your programs</source>
        <translation>Grenze Ihrer Programme</translation>
    </message>
    <message>
        <source>Nothing was measured in this time.</source>
        <translation>In dieser Zeit wurde nichts gemessen.</translation>
    </message>
</context>
<context>
    <name>tmm::tray::ContributionsModel</name>
    <message>
        <source>%1, and %2 far</source>
        <translation>%1, und %2 fern</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Another user&apos;s program</source>
        <translation>Programm eines anderen Benutzers</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird beendet</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
</context>
<context>
    <name>tmm::tray::ContributionsPage</name>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Stop…</source>
        <translation>&amp;Beenden …</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Pr&amp;iority:</source>
        <translation>Pri&amp;orität:</translation>
    </message>
    <message>
        <source>Share of processor time among contributions</source>
        <translation>Anteil an der Prozessorzeit unter den Beiträgen</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>All contributions are paused. This one resumes when that pause ends.</source>
        <translation>Alle Beiträge sind pausiert. Dieser läuft weiter, wenn die Pause endet.</translation>
    </message>
    <message>
        <source>Stop a contribution</source>
        <translation>Beitrag beenden</translation>
    </message>
    <message>
        <source>Stop this program?</source>
        <translation>Dieses Programm beenden?</translation>
    </message>
    <message>
        <source>Stop “%1”?</source>
        <translation>„%1“ beenden?</translation>
    </message>
    <message>
        <source>The program gets ten seconds to end; then it is killed. Unsaved work is lost.</source>
        <translation>Das Programm hat zehn Sekunden Zeit, sich zu beenden; dann wird es abgebrochen. Nicht gespeicherte Arbeit geht verloren.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>The service does not answer, so this window does not know the contributions. Some may run.</source>
        <translation>Der Dienst antwortet nicht; darum kennt dieses Fenster die Beiträge nicht. Möglicherweise laufen einige.</translation>
    </message>
    <message>
        <source>There are no contributions at the moment.

Start one below, or in a terminal: maketransparent PROGRAM</source>
        <translation>Im Augenblick gibt es keine Beiträge.

Starten Sie unten einen oder in einem Terminal: maketransparent PROGRAMM</translation>
    </message>
</context>
<context>
    <name>tmm::tray::DecisionsPage</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>This page lists the latest decisions of the service.</source>
        <translation>Diese Seite zeigt die letzten Entscheidungen des Dienstes.</translation>
    </message>
    <message>
        <source>The service&apos;s own words, in English: “%1”</source>
        <translation>Im Wortlaut des Dienstes, auf Englisch: „%1“</translation>
    </message>
</context>
<context>
    <name>tmm::tray::GiveTo</name>
    <message>
        <source>Show &amp;BOINC</source>
        <translation>BOINC &amp;zeigen</translation>
    </message>
    <message>
        <source>Give to …</source>
        <translation>Abgeben an …</translation>
    </message>
    <message>
        <source>A program of yours, such as a renderer, becomes a contribution.</source>
        <translation>Eines Ihrer Programme, etwa ein Renderer, wird zum Beitrag.</translation>
    </message>
    <message>
        <source>S&amp;tart a program…</source>
        <translation>Programm st&amp;arten …</translation>
    </message>
    <message>
        <source>The guide for owners explains what contributions are, and what they cost.</source>
        <translation>Die Anleitung für Besitzer (englisch) erklärt, was Beiträge sind und was sie kosten.</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>An&amp;leitung</translation>
    </message>
    <message>
        <source>Start a program as a contribution</source>
        <translation>Ein Programm als Beitrag starten</translation>
    </message>
</context>
<context>
    <name>tmm::tray::MainWindow</name>
    <message>
        <source>BOINC</source>
        <translation>BOINC</translation>
    </message>
    <message>
        <source>Transparent Memory</source>
        <translation>Transparenter Speicher</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Meldung ausblenden</translation>
    </message>
    <message>
        <source>The file for starting at login could not be written.</source>
        <translation>Die Datei für den Start bei der Anmeldung konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Soft memory</source>
        <translation>Weicher Speicher</translation>
    </message>
</context>
<context>
    <name>tmm::tray::Notifier</name>
    <message>
        <source>Transparent Memory</source>
        <translation>Transparenter Speicher</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>tmm::tray::OneRequest</name>
    <message>
        <source>Transparent Memory</source>
        <translation>Transparenter Speicher</translation>
    </message>
</context>
<context>
    <name>tmm::tray::OverviewPage</name>
    <message>
        <source>Cost to your programs</source>
        <translation>Kosten für Ihre Programme</translation>
    </message>
    <message>
        <source>Your donation</source>
        <translation>Ihre Spende</translation>
    </message>
    <message>
        <source>Memory over the last</source>
        <translation>Speicher im Zeitraum:</translation>
    </message>
    <message>
        <source>&amp;Hour</source>
        <translation>&amp;Stunde</translation>
    </message>
    <message>
        <source>&amp;Day</source>
        <translation>&amp;Tag</translation>
    </message>
    <message>
        <source>&amp;Week</source>
        <translation>&amp;Woche</translation>
    </message>
</context>
<context>
    <name>tmm::tray::ProgramsPage</name>
    <message>
        <source>Exceptions for your own programs, until they end. “Never count”: the memory of a program may be given away although the program uses it. “Never freeze”: a contribution runs on while others are frozen, and loses only its memory.</source>
        <translation>Ausnahmen für Ihre eigenen Programme, bis sie enden. „Nie zählen“: Der Speicher eines Programms darf abgegeben werden, obwohl das Programm ihn benutzt. „Nie einfrieren“: Ein Beitrag läuft weiter, während andere eingefroren sind, und verliert nur seinen Speicher.</translation>
    </message>
    <message>
        <source>Your desktop does not run programs in cgroups of their own, so there is nothing to choose here.</source>
        <translation>Ihr Desktop startet Programme nicht in eigenen cgroups; darum gibt es hier nichts zu wählen.</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Exception</source>
        <translation>Ausnahme</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>Your program</source>
        <translation>Ihr Programm</translation>
    </message>
    <message>
        <source>Never freeze</source>
        <translation>Nie einfrieren</translation>
    </message>
    <message>
        <source>Never count</source>
        <translation>Nie zählen</translation>
    </message>
    <message>
        <source>The exception was not changed: %1</source>
        <translation>Die Ausnahme wurde nicht geändert: %1</translation>
    </message>
</context>
<context>
    <name>tmm::tray::SettingsPage</name>
    <message>
        <source>Let BOINC &amp;use idle memory</source>
        <translation>BOINC &amp;ungenutzten Speicher verwenden lassen</translation>
    </message>
    <message>
        <source>BOINC, for all users of this computer</source>
        <translation>BOINC, für alle Benutzer dieses Computers</translation>
    </message>
    <message>
        <source>Its tasks then become contributions. A change needs an administrator&apos;s password.</source>
        <translation>Seine Aufgaben werden dann zu Beiträgen. Eine Änderung geht nur mit dem Passwort eines Systemverwalters.</translation>
    </message>
    <message>
        <source>&amp;Give memory to contributions</source>
        <translation>Speicher an Beiträge ab&amp;geben</translation>
    </message>
    <message>
        <source>Allow at &amp;most</source>
        <translation>Erlaubt sind &amp;höchstens</translation>
    </message>
    <message>
        <source>Allow at most this s&amp;hare of memory</source>
        <translation>Erlaubt ist höchstens dieser &amp;Anteil am Speicher</translation>
    </message>
    <message>
        <source>Only &amp;while nobody uses the computer</source>
        <translation>Nur wenn &amp;niemand den Computer benutzt</translation>
    </message>
    <message>
        <source>Only while the computer is not on &amp;battery</source>
        <translation>Nur wenn der Computer nicht im Akku&amp;betrieb ist</translation>
    </message>
    <message>
        <source>&amp;Quiet hours: give nothing from</source>
        <translation>&amp;Ruhezeit: nichts abgeben von</translation>
    </message>
    <message>
        <source>Show the icon when I &amp;log in</source>
        <translation>Symbol zeigen, wenn ich mich an&amp;melde</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>An&amp;wenden</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Memory for contributions, for all users of this computer</source>
        <translation>Speicher für Beiträge, für alle Benutzer dieses Computers</translation>
    </message>
    <message>
        <source>Maximum memory allowed</source>
        <translation>Höchstens erlaubter Speicher</translation>
    </message>
    <message>
        <source>Maximum share of memory allowed</source>
        <translation>Höchstens erlaubter Anteil am Speicher</translation>
    </message>
    <message>
        <source>Start of the quiet hours</source>
        <translation>Beginn der Ruhezeit</translation>
    </message>
    <message>
        <source>End of the quiet hours</source>
        <translation>Ende der Ruhezeit</translation>
    </message>
    <message>
        <source>A change may need an administrator&apos;s password.</source>
        <translation>Für eine Änderung ist eventuell das Passwort eines Systemverwalters nötig.</translation>
    </message>
    <message>
        <source>to</source>
        <comment>between two times</comment>
        <translation>bis</translation>
    </message>
    <message>
        <source>This program</source>
        <translation>Dieses Programm</translation>
    </message>
    <message>
        <source>Notify me of &amp;trouble and of held contributions</source>
        <translation>Über &amp;Störungen und angehaltene Beiträge benachrichtigen</translation>
    </message>
    <message>
        <source>&amp;Keep the icon when this window is closed</source>
        <translation>S&amp;ymbol behalten, wenn dieses Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>The file for starting at login could not be written.</source>
        <translation>Die Datei für den Start bei der Anmeldung konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The administrator&apos;s configuration is stricter. This page shows the settings in force.</source>
        <translation>Die Vorgaben des Systemverwalters sind strenger. Diese Seite zeigt die geltenden Einstellungen.</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
</context>
<context>
    <name>tmm::tray::SoftPage</name>
    <message>
        <source>No program with soft memory runs at the moment.</source>
        <translation>Im Augenblick läuft kein Programm mit weichem Speicher.</translation>
    </message>
    <message>
        <source>All together at &amp;most</source>
        <translation>Alle zusammen &amp;höchstens</translation>
    </message>
    <message>
        <source>Set the &amp;weight</source>
        <translation>Ge&amp;wicht setzen</translation>
    </message>
    <message>
        <source>Soft memory holds data that programs can compute or fetch again, such as pictures in a cache. The service divides the memory that the computer can spare among these programs by their gain, and takes it back at once when others need it.</source>
        <translation>Weicher Speicher enthält Daten, die Programme neu berechnen oder neu laden können, etwa Bilder in einem Zwischenspeicher. Der Dienst verteilt den Speicher, den der Computer entbehren kann, nach ihrem Nutzen auf diese Programme. Brauchen andere den Speicher, nimmt er ihn sofort zurück.</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>May have</source>
        <translation>Darf haben</translation>
    </message>
    <message>
        <source>Has</source>
        <translation>Hat</translation>
    </message>
    <message>
        <source>Could use</source>
        <translation>Könnte nutzen</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Rebuilding</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>100 MiB save</source>
        <translation>100 MiB ersparen</translation>
    </message>
    <message>
        <source>Time for making lost data again, for each second of other work</source>
        <translation>Zeit, um verlorene Daten neu zu erzeugen, je Sekunde anderer Arbeit</translation>
    </message>
    <message>
        <source>How much of that time another 100 MiB would save</source>
        <translation>Wie viel dieser Zeit weitere 100 MiB ersparen würden</translation>
    </message>
    <message>
        <source>Soft memory</source>
        <translation>Weicher Speicher</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Maximum of all soft memory</source>
        <translation>Obergrenze des gesamten weichen Speichers</translation>
    </message>
    <message>
        <source>Weight of the user</source>
        <translation>Gewicht des Benutzers</translation>
    </message>
    <message>
        <source>A user with twice the weight may have twice as much; 100 is usual</source>
        <translation>Ein Benutzer mit doppeltem Gewicht darf doppelt so viel haben; 100 ist üblich</translation>
    </message>
    <message>
        <source>Set the ma&amp;ximum</source>
        <translation>Ober&amp;grenze setzen</translation>
    </message>
    <message>
        <source>Process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>Weight of %1:</source>
        <translation>Gewicht von %1:</translation>
    </message>
</context>
<context>
    <name>tmm::tray::StatusHeader</name>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Switch &amp;on</source>
        <translation>&amp;Einschalten</translation>
    </message>
    <message>
        <source>&amp;Start the service</source>
        <translation>&amp;Dienst starten</translation>
    </message>
    <message>
        <source>For &amp;30 minutes</source>
        <translation>&amp;30 Minuten</translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation>Eine &amp;Stunde</translation>
    </message>
    <message>
        <source>Until &amp;tomorrow</source>
        <translation>Bis &amp;morgen</translation>
    </message>
    <message>
        <source>Until I &amp;resume it</source>
        <translation>Bis ich &amp;fortsetze</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>Stop &amp;contributions…</source>
        <translation>&amp;Beiträge beenden …</translation>
    </message>
    <message>
        <source>Stop contributions</source>
        <translation>Beiträge beenden</translation>
    </message>
    <message>
        <source>Stop all contributions?</source>
        <translation>Alle Beiträge beenden?</translation>
    </message>
    <message>
        <source>This ends your programs that run as contributions, and those of the system, such as BOINC. Unsaved work is lost.</source>
        <translation>Das beendet Ihre Programme, die als Beiträge laufen, und jene des Systems, etwa BOINC. Nicht gespeicherte Arbeit geht verloren.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
</context>
<context>
    <name>tmm::tray::WelcomePage</name>
    <message>
        <source>Show the icon when I &amp;log in</source>
        <translation>Symbol zeigen, wenn ich mich an&amp;melde</translation>
    </message>
    <message>
        <source>&amp;Give memory</source>
        <translation>Speicher ab&amp;geben</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Nicht jetzt</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Weiter</translation>
    </message>
</context>
</TS>
