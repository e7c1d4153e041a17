<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>UsageSummary</name>
    <message>
        <source>of the last hour your programs waited for memory</source>
        <translation>der letzten Stunde haben Ihre Programme auf Speicher gewartet</translation>
    </message>
    <message>
        <source>of the last day your programs waited for memory</source>
        <translation>des letzten Tages haben Ihre Programme auf Speicher gewartet</translation>
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
        <source>Page faults after your returns: %1, the last time %2</source>
        <translation>Seitenfehler nach Ihrer Rückkehr: %1, beim letzten Mal %2</translation>
    </message>
    <message>
        <source>given in the last hour</source>
        <translation>in der letzten Stunde gegeben</translation>
    </message>
    <message>
        <source>given in the last day</source>
        <translation>am letzten Tag gegeben</translation>
    </message>
    <message>
        <source>given in the last week</source>
        <translation>in der letzten Woche gegeben</translation>
    </message>
    <message>
        <source>At the moment: %1</source>
        <translation>Im Augenblick: %1</translation>
    </message>
    <message>
        <source>Since installation: %1</source>
        <translation>Seit der Installation: %1</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>Nothing was measured in this time.</source>
        <translation>In dieser Zeit wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>At %1 your programs used %2, contributions %3, soft memory %4; %5 was unused. The most given in this time: %6.</source>
        <translation>Um %1 benutzten Ihre Programme %2, Beiträge %3, weicher Speicher %4; %5 war ungenutzt. Am meisten gegeben in dieser Zeit: %6.</translation>
    </message>
</context>
<context>
    <name>Decision</name>
    <message>
        <source>Giving</source>
        <translation>Gibt</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
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
        <translation>Berichtigt</translation>
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
        <translation>Die Beiträge wurden nicht angehalten.</translation>
    </message>
    <message>
        <source>The pause was not ended.</source>
        <translation>Die Pause wurde nicht beendet.</translation>
    </message>
    <message>
        <source>It was not switched.</source>
        <translation>Es wurde nicht umgeschaltet.</translation>
    </message>
    <message>
        <source>The limits were not changed.</source>
        <translation>Die Grenzen wurden nicht geändert.</translation>
    </message>
    <message>
        <source>The contribution stays as it was.</source>
        <translation>Der Beitrag bleibt, wie er war.</translation>
    </message>
    <message>
        <source>You are not allowed to do this without an administrator's password.</source>
        <translation>Ohne das Passwort eines Verwalters dürfen Sie das nicht.</translation>
    </message>
    <message>
        <source>It has ended in the meantime.</source>
        <translation>Er ist inzwischen beendet.</translation>
    </message>
    <message>
        <source>The service does not answer. An administrator can start it with: systemctl start tmmd</source>
        <translation>Der Dienst antwortet nicht. Ein Verwalter kann ihn starten mit: systemctl start tmmd</translation>
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
        <source>%1 GB hours</source>
        <translation>%1 GB-Stunden</translation>
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
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Giving memory does not work at the moment</source>
        <translation>Speicher zu geben geht im Augenblick nicht</translation>
    </message>
    <message>
        <source>Contributions were paused</source>
        <translation>Beiträge wurden angehalten</translation>
    </message>
    <message>
        <source>Your programs needed the memory.</source>
        <translation>Ihre Programme brauchten den Speicher.</translation>
    </message>
    <message>
        <source>Giving memory works again</source>
        <translation>Speicher zu geben geht wieder</translation>
    </message>
    <message>
        <source>The service is not running any more</source>
        <translation>Der Dienst läuft nicht mehr</translation>
    </message>
    <message>
        <source>Nothing is given, and your programs have all memory.</source>
        <translation>Nichts wird gegeben, und Ihre Programme haben den ganzen Speicher.</translation>
    </message>
</context>
<context>
    <name>View</name>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Paused until %1</source>
        <translation>Angehalten bis %1</translation>
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
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Giving %1</source>
        <translation>Gibt %1</translation>
    </message>
    <message>
        <source>Ready to give</source>
        <translation>Bereit zu geben</translation>
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
        <source>Expected slowdown: %1.</source>
        <translation>Erwartete Verlangsamung: %1.</translation>
    </message>
    <message>
        <source>The system bus cannot be reached, so this window knows nothing. It goes on trying.</source>
        <translation>Der Systembus ist nicht erreichbar, darum weiß dieses Fenster nichts. Es versucht es weiter.</translation>
    </message>
    <message>
        <source>Without the service tmmd nothing is given, and your programs have all memory.</source>
        <translation>Ohne den Dienst tmmd wird nichts gegeben, und Ihre Programme haben den ganzen Speicher.</translation>
    </message>
    <message>
        <source>Contributions stand still, and your programs have all memory.</source>
        <translation>Die Beiträge stehen still, und Ihre Programme haben den ganzen Speicher.</translation>
    </message>
    <message>
        <source>Nothing is given until you switch it on again.</source>
        <translation>Nichts wird gegeben, bis Sie es wieder einschalten.</translation>
    </message>
    <message>
        <source>The service cannot work at the moment. Your programs have all memory.</source>
        <translation>Der Dienst kann im Augenblick nicht arbeiten. Ihre Programme haben den ganzen Speicher.</translation>
    </message>
    <message>
        <source>Nothing is given at the moment.</source>
        <translation>Im Augenblick wird nichts gegeben.</translation>
    </message>
    <message>
        <source>Your programs: %1 of %2</source>
        <translation>Ihre Programme: %1 von %2</translation>
    </message>
    <message>
        <source>Expected slowdown: %1</source>
        <translation>Erwartete Verlangsamung: %1</translation>
    </message>
    <message>
        <source>Waited for memory: %1</source>
        <translation>Auf Speicher gewartet: %1</translation>
    </message>
    <message>
        <source>Pause for 30 minutes</source>
        <translation>Für 30 Minuten anhalten</translation>
    </message>
    <message>
        <source>Pause for an hour</source>
        <translation>Für eine Stunde anhalten</translation>
    </message>
    <message>
        <source>Pause until tomorrow</source>
        <translation>Bis morgen anhalten</translation>
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
        <source>Gives the memory that your programs do not need to contributions, and takes it back when they do.

What it looks at is how much memory is used and when. It never reads what is in it, and sends nothing anywhere.

To stop it: pause it by the icon, switch it off in the settings, or remove the package tmm-daemon.

More: the manual pages tmm-tray(1), tmmctl(1) and tmmd(8).</source>
        <translation>Gibt den Speicher, den Ihre Programme nicht brauchen, an Beiträge und nimmt ihn zurück, wenn sie ihn brauchen.

Betrachtet wird nur, wie viel Speicher wann benutzt wird. Was darin steht, wird niemals gelesen, und nichts wird irgendwohin gesendet.

So hält man es an: Pause über das Symbol, ausschalten in den Einstellungen oder das Paket tmm-daemon entfernen.

Mehr: die Handbuchseiten tmm-tray(1), tmmctl(1) und tmmd(8).</translation>
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
</context>
<context>
    <name>tmm::tray::ChartWidget</name>
    <message>
        <source>Use of memory over time</source>
        <translation>Speichernutzung im Lauf der Zeit</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Soft memory</source>
        <translation>Weicher Speicher</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Ungenutzt</translation>
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
        <translation>Vorrang</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Another user's program</source>
        <translation>Programm eines anderen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird beendet</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>User %1</source>
        <translation>Benutzer %1</translation>
    </message>
</context>
<context>
    <name>tmm::tray::ContributionsPage</name>
    <message>
        <source>There are no contributions at the moment.

Start a program as one with: maketransparent PROGRAM</source>
        <translation>Im Augenblick gibt es keine Beiträge.

So startet man ein Programm als Beitrag: maketransparent PROGRAMM</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
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
    <message>
        <source>Pr&amp;iority:</source>
        <translation>&amp;Vorrang:</translation>
    </message>
    <message>
        <source>Share of the processor time that contributions have among themselves</source>
        <translation>Anteil an der Prozessorzeit, die die Beiträge unter sich teilen</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Vorrang</translation>
    </message>
    <message>
        <source>All contributions are paused; it goes on when that ends.</source>
        <translation>Alle Beiträge sind angehalten; er läuft weiter, wenn das endet.</translation>
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
        <source>It is asked to end, and is ended after ten seconds. What it has not saved is lost.</source>
        <translation>Das Programm wird gebeten, sich zu beenden, und nach zehn Sekunden beendet. Was es nicht gespeichert hat, geht verloren.</translation>
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
    <name>tmm::tray::DecisionsPage</name>
    <message>
        <source>What the service decided of late, and why. The reasons are its own words, in English.</source>
        <translation>Was der Dienst zuletzt entschieden hat und warum. Die Gründe sind seine eigenen Worte, auf Englisch.</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
</context>
<context>
    <name>tmm::tray::MainWindow</name>
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
    <name>tmm::tray::OverviewPage</name>
    <message>
        <source>What it cost you</source>
        <translation>Was es Sie gekostet hat</translation>
    </message>
    <message>
        <source>What you gave</source>
        <translation>Was Sie gegeben haben</translation>
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
    <name>tmm::tray::SettingsPage</name>
    <message>
        <source>&amp;Give idle memory</source>
        <translation>Ungenutzten Speicher &amp;geben</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>&amp;Höchstens</translation>
    </message>
    <message>
        <source>At most this s&amp;hare of memory</source>
        <translation>Höchstens diesen &amp;Anteil am Speicher</translation>
    </message>
    <message>
        <source>Only while &amp;nobody uses the computer</source>
        <translation>Nur wenn &amp;niemand den Computer benutzt</translation>
    </message>
    <message>
        <source>Only while it is not on &amp;battery</source>
        <translation>Nur wenn er nicht mit &amp;Batterie läuft</translation>
    </message>
    <message>
        <source>&amp;Quiet hours: nothing from</source>
        <translation>&amp;Ruhezeit: nichts von</translation>
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
        <source>What is given, for all users of this computer</source>
        <translation>Was gegeben wird, für alle Benutzer dieses Computers</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Most memory that is given</source>
        <translation>Speicher, der höchstens gegeben wird</translation>
    </message>
    <message>
        <source>Largest share of memory that is given</source>
        <translation>Anteil des Speichers, der höchstens gegeben wird</translation>
    </message>
    <message>
        <source>Begin of the quiet hours</source>
        <translation>Beginn der Ruhezeit</translation>
    </message>
    <message>
        <source>End of the quiet hours</source>
        <translation>Ende der Ruhezeit</translation>
    </message>
    <message>
        <source>Changes may ask for an administrator's password.</source>
        <translation>Änderungen verlangen vielleicht das Passwort eines Verwalters.</translation>
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
        <source>&amp;Tell me of trouble and of contributions that were held</source>
        <translation>Störungen und angehaltene Beiträge mel&amp;den</translation>
    </message>
    <message>
        <source>Closing this window &amp;keeps the icon</source>
        <translation>Das S&amp;ymbol bleibt, wenn dieses Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>The file for starting at login could not be written.</source>
        <translation>Die Datei für den Start bei der Anmeldung konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The administrator's configuration allows less: what is shown is in force.</source>
        <translation>Der Verwalter erlaubt weniger: Es gilt, was hier gezeigt wird.</translation>
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
        <translation>Für &amp;30 Minuten</translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation>Für eine &amp;Stunde</translation>
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
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>tmmd: “%1”</source>
        <translation>tmmd: „%1“</translation>
    </message>
</context>
<context>
    <name>tmm::tray::WelcomePage</name>
    <message>
        <source>Give the memory that you do not use</source>
        <translation>Geben Sie den Speicher, den Sie nicht benutzen</translation>
    </message>
    <message>
        <source>Show the icon when I &amp;log in</source>
        <translation>Symbol zeigen, wenn ich mich an&amp;melde</translation>
    </message>
    <message>
        <source>&amp;Give idle memory</source>
        <translation>Ungenutzten Speicher &amp;geben</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Nicht jetzt</translation>
    </message>
    <message>
        <source>Your computer seldom uses all of its memory; the idle rest can go to contributions that you choose, such as science or rendering.</source>
        <translation>Ihr Computer benutzt selten seinen ganzen Speicher; der ungenutzte Rest kann an Beiträge gehen, die Sie wählen, etwa Forschung oder Bildberechnung.</translation>
    </message>
    <message>
        <source>Your own programs come first: what they need is taken back before you notice, and nobody ever reads what is in your memory.</source>
        <translation>Ihre eigenen Programme gehen vor: Was sie brauchen, wird zurückgenommen, bevor Sie es merken, und niemand liest jemals, was in Ihrem Speicher steht.</translation>
    </message>
    <message>
        <source>You can pause it or switch it off at any time, by the icon in the panel or in this window.</source>
        <translation>Sie können es jederzeit anhalten oder ausschalten, über das Symbol in der Leiste oder in diesem Fenster.</translation>
    </message>
    <message>
        <source>Shall this computer give its idle memory?</source>
        <translation>Soll dieser Computer seinen ungenutzten Speicher geben?</translation>
    </message>
</context>
</TS>
