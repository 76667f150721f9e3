// SPDX-License-Identifier: LGPL-2.1-or-later
// What the page says, in the languages that it has. A line is English, German, Chinese.

import {visible} from './visible.js';

const TEXTS = {
  title: ['MCP servers', 'MCP-Server', 'MCP 服务器'],
  skip: ['Skip to the content', 'Zum Inhalt springen', '跳到内容'],
  views: ['Views', 'Ansichten', '视图'],
  'view-servers': ['Servers', 'Server', '服务器'],
  'view-log': ['Log', 'Protokoll', '日志'],
  'view-audit': ['Audit', 'Aufrufe', '审计'],

  'link-open': ['Live', 'Verbunden', '实时'],
  'link-opening': ['Connecting…', 'Verbindung wird aufgebaut …', '正在连接…'],
  'link-lost': ['Cut off – trying again', 'Getrennt – neuer Versuch läuft', '已断开，正在重试'],
  'sign-in-title': ['You are not signed in', 'Sie sind nicht angemeldet', '您尚未登录'],
  'sign-in-how': ['Only you may see and steer your servers. Run this in a terminal; it opens this page, signed in:',
    'Nur Sie dürfen Ihre Server sehen und steuern. Führen Sie dies in einem Terminal aus, es öffnet diese Seite angemeldet:',
    '只有您可以查看和控制您的服务器。请在终端中运行以下命令，它会打开已登录的此页面：'],
  'sign-in-used': ['This link was used already, or is too old.', 'Dieser Link wurde schon benutzt oder ist zu alt.', '此链接已被使用或已过期。'],
  'sign-in-once': ['A link works once, and for a short time. Signing in ends when the daemon does.',
    'Ein Link gilt einmal und nur kurz. Die Anmeldung endet mit dem Daemon.', '链接只能使用一次，且很快失效。守护进程结束时登录也随之结束。'],
  'try-again': ['Try again', 'Erneut versuchen', '重试'],
  'load-failed': ['The servers cannot be loaded', 'Die Server lassen sich nicht laden', '无法加载服务器'],

  totals: ['Totals', 'Übersicht', '总计'],
  'total-running': ['Running', 'Laufen', '正在运行'],
  'total-healthy': ['Healthy', 'Gesund', '健康'],
  'total-tools': ['Tools', 'Werkzeuge', '工具'],
  'total-waiting': ['Waiting for you', 'Warten auf Sie', '等待您处理'],
  'of': ['of {0}', 'von {0}', '共 {0}'],
  servers: ['Servers', 'Server', '服务器'],
  'no-servers': ['No server is configured. “gmcp add” adds one.', 'Es ist kein Server eingerichtet. »gmcp add« fügt einen hinzu.',
    '尚未配置服务器。使用“gmcp add”添加。'],

  'state-manual': ['Manual', 'Manuell', '手动'],
  'state-stopped': ['Stopped', 'Gestoppt', '已停止'],
  'state-starting': ['Starting', 'Startet', '正在启动'],
  'state-installing': ['Installing', 'Wird installiert', '正在安装'],
  'state-ready': ['Running', 'Läuft', '正在运行'],
  'state-running': ['Running', 'Läuft', '正在运行'],
  'state-degraded': ['Degraded', 'Beeinträchtigt', '性能下降'],
  'state-unhealthy': ['Unhealthy', 'Nicht gesund', '不健康'],
  'state-backing-off': ['Waiting to restart', 'Wartet auf Neustart', '等待重启'],
  'state-needs-sign-in': ['Needs sign-in', 'Anmeldung nötig', '需要登录'],
  'state-failed': ['Failed', 'Fehlgeschlagen', '失败'],
  'state-stopping': ['Stopping', 'Wird gestoppt', '正在停止'],
  'state-disabled': ['Disabled', 'Abgeschaltet', '已禁用'],
  health: ['Health', 'Zustand', '健康状况'],
  'health-healthy': ['Healthy', 'Gesund', '健康'],
  'health-unhealthy': ['Unhealthy', 'Nicht gesund', '不健康'],
  'health-unknown': ['Unknown', 'Unbekannt', '未知'],
  'health-starting': ['Starting', 'Startet', '正在启动'],
  uptime: ['Uptime', 'Läuft seit', '运行时间'],
  tools: ['Tools', 'Werkzeuge', '工具'],
  memory: ['Memory', 'Speicher', '内存'],
  restarts: ['Restarts', 'Neustarts', '重启次数'],
  transport: ['Transport', 'Transport', '传输方式'],
  latency: ['Latency', 'Antwortzeit', '延迟'],
  'latency-label': ['Latency of the last {0} calls: {1} at the end, {2} at most', 'Antwortzeit der letzten {0} Aufrufe: zuletzt {1}, höchstens {2}',
    '最近 {0} 次调用的延迟：最后一次 {1}，最高 {2}'],
  sandbox: ['Sandbox', 'Sandbox', '沙盒'],
  'without-sandbox': ['Without a sandbox', 'Ohne Sandbox', '无沙盒'],
  'with-sandbox': ['In a sandbox', 'In einer Sandbox', '在沙盒中'],
  elsewhere: ['Runs elsewhere', 'Läuft woanders', '在别处运行'],
  details: ['Details', 'Einzelheiten', '详细信息'],
  start: ['Start', 'Starten', '启动'],
  stop: ['Stop', 'Stoppen', '停止'],
  restart: ['Restart', 'Neu starten', '重启'],
  'check-health': ['Check health', 'Zustand prüfen', '检查健康'],
  test: ['Test', 'Prüfen', '测试'],
  'test-works': ['It works.', 'Er funktioniert.', '工作正常。'],
  'show-log': ['Log', 'Protokoll', '日志'],
  'action-of': ['{0}: {1}', '{0}: {1}', '{0}：{1}'],
  'did-start': ['{0} runs', '{0} läuft', '{0} 正在运行'],
  'did-stop': ['{0} is stopped', '{0} ist gestoppt', '{0} 已停止'],
  'did-restart': ['{0} runs again', '{0} läuft wieder', '{0} 已重新运行'],
  'did-health': ['{0}: {1}', '{0}: {1}', '{0}：{1}'],
  close: ['Close', 'Schließen', '关闭'],
  'last-error': ['Last error', 'Letzter Fehler', '最近的错误'],
  command: ['Command', 'Befehl', '命令'],
  source: ['Configured in', 'Eingerichtet in', '配置来源'],
  pid: ['Process', 'Prozess', '进程'],
  starts: ['Starts', 'Startet', '启动方式'],
  'starts-manual': ['By hand', 'Von Hand', '手动'],
  'starts-on-demand': ['When it is needed', 'Wenn er gebraucht wird', '按需'],
  'starts-at-load': ['With the daemon', 'Mit dem Daemon', '随守护进程'],
  calls: ['Calls', 'Aufrufe', '调用'],
  'calls-errors': ['{0}, {1} of them failed', '{0}, davon {1} fehlgeschlagen', '{0} 次，其中 {1} 次失败'],
  'last-check': ['Last health check', 'Zuletzt geprüft', '上次检查'],
  'tools-unknown': ['Its tools are known once it has run.', 'Seine Werkzeuge sind bekannt, sobald er einmal lief.', '运行一次后即可知道其工具。'],

  'read-only': ['reads only', 'liest nur', '只读'],
  destructive: ['may destroy', 'kann zerstören', '可能有破坏性'],
  schema: ['Schema', 'Schema', '模式'],
  'output-schema': ['Schema of the result', 'Schema des Ergebnisses', '结果模式'],
  'try-tool': ['Try it', 'Ausprobieren', '试用'],
  call: ['Call', 'Aufrufen', '调用'],
  'call-tool': ['Call {0}', '{0} aufrufen', '调用 {0}'],
  calling: ['Calling…', 'Wird aufgerufen …', '正在调用…'],
  'call-cancel': ['Cancel', 'Abbrechen', '取消'],
  'called-in': ['Answered in {0}', 'Beantwortet in {0}', '用时 {0}'],
  'no-arguments': ['This tool takes no arguments.', 'Dieses Werkzeug hat keine Argumente.', '此工具没有参数。'],
  'as-json': ['Edit as JSON', 'Als JSON bearbeiten', '以 JSON 编辑'],
  'as-form': ['Edit as a form', 'Als Formular bearbeiten', '以表单编辑'],
  arguments: ['Arguments', 'Argumente', '参数'],
  required: ['required', 'erforderlich', '必填'],
  'not-set': ['(not set)', '(nicht gesetzt)', '（未设置）'],
  yes: ['Yes', 'Ja', '是'],
  no: ['No', 'Nein', '否'],
  'add-item': ['Add', 'Hinzufügen', '添加'],
  'add-item-to': ['Add to {0}', 'Zu {0} hinzufügen', '添加到 {0}'],
  'remove-item': ['Remove item {0}', 'Eintrag {0} entfernen', '移除第 {0} 项'],
  item: ['Item {0}', 'Eintrag {0}', '第 {0} 项'],
  'json-value': ['JSON', 'JSON', 'JSON'],
  'error-required': ['This is required.', 'Das ist erforderlich.', '此项必填。'],
  'error-number': ['This has to be a number.', 'Das muss eine Zahl sein.', '必须是数字。'],
  'error-integer': ['This has to be a whole number.', 'Das muss eine ganze Zahl sein.', '必须是整数。'],
  'error-min': ['At least {0}.', 'Mindestens {0}.', '至少为 {0}。'],
  'error-max': ['At most {0}.', 'Höchstens {0}.', '至多为 {0}。'],
  'error-min-length': ['At least {0} characters.', 'Mindestens {0} Zeichen.', '至少 {0} 个字符。'],
  'error-max-length': ['At most {0} characters.', 'Höchstens {0} Zeichen.', '至多 {0} 个字符。'],
  'error-min-items': ['At least {0} items.', 'Mindestens {0} Einträge.', '至少 {0} 项。'],
  'error-max-items': ['At most {0} items.', 'Höchstens {0} Einträge.', '至多 {0} 项。'],
  'error-json': ['This is no JSON.', 'Das ist kein JSON.', '这不是 JSON。'],
  'error-json-object': ['This has to be a JSON object.', 'Das muss ein JSON-Objekt sein.', '必须是 JSON 对象。'],

  result: ['Result', 'Ergebnis', '结果'],
  'result-failed': ['The tool reports an error', 'Das Werkzeug meldet einen Fehler', '工具报告错误'],
  'result-empty': ['The result is empty.', 'Das Ergebnis ist leer.', '结果为空。'],
  'result-structured': ['Structured content', 'Strukturierter Inhalt', '结构化内容'],
  'result-raw': ['The result as JSON', 'Das Ergebnis als JSON', 'JSON 结果'],
  'result-image': ['Image from {0}', 'Bild von {0}', '来自 {0} 的图像'],
  'result-media': ['{0}, {1}', '{0}, {1}', '{0}，{1}'],
  'result-link': ['Link to a resource', 'Verweis auf eine Ressource', '资源链接'],
  'text-cut': ['… {0} more characters', '… {0} weitere Zeichen', '…… 还有 {0} 个字符'],
  'list-cut': ['… {0} more', '… {0} weitere', '…… 还有 {0} 项'],
  key: ['Name', 'Name', '名称'],
  value: ['Value', 'Wert', '值'],

  questions: ['Questions', 'Fragen', '问题'],
  'question-of': ['{0} asks', '{0} fragt', '{0} 询问'],
  'question-new': ['{0} has a question', '{0} hat eine Frage', '{0} 有一个问题'],
  'question-permission': ['May {0} be called?', 'Darf {0} aufgerufen werden?', '是否允许调用 {0}？'],
  'question-sampling': ['{0} wants to ask a model. There is none here; the program that made the call may have one.',
    '{0} will ein Modell befragen. Hier gibt es keines.', '{0} 想询问模型，这里没有模型。'],
  'question-open': ['It wants you to open this address:', 'Er möchte, dass Sie diese Adresse öffnen:', '它希望您打开此地址：'],
  'question-host': ['It leads to {0}.', 'Sie führt zu {0}.', '它指向 {0}。'],
  'question-role': ['It is called under the role {0}.', 'Aufgerufen wird unter der Rolle {0}.', '以角色 {0} 调用。'],
  'question-rule': ['It is asked because of the rule {0}.', 'Gefragt wird wegen der Regel {0}.', '因规则 {0} 而询问。'],
  'question-change': ['The tool is not as it was approved (-), but like this (+). To allow it always approves it as it is now.',
    'Das Werkzeug ist nicht, wie es genehmigt wurde (-), sondern so (+). Immer erlauben genehmigt es, wie es jetzt ist.',
    '该工具与批准时（-）不同，现在是这样（+）。选择始终允许即批准其现状。'],
  'question-accepted': ['Somebody has agreed to go there already.', 'Jemand hat bereits zugestimmt, die Adresse zu öffnen.', '已有人同意前往该处。'],
  'question-client': ['It is asked for the program {0}.', 'Gefragt wird für das Programm {0}.', '为程序 {0} 询问。'],
  open: ['Open', 'Öffnen', '打开'],
  accept: ['Send the answer', 'Antwort senden', '发送答复'],
  done: ['I have done that', 'Das habe ich getan', '我已完成'],
  decline: ['Decline', 'Ablehnen', '拒绝'],
  cancel: ['Cancel the call', 'Aufruf abbrechen', '取消调用'],
  'allow-once': ['Allow once', 'Einmal erlauben', '允许一次'],
  'allow-always': ['Always allow', 'Immer erlauben', '始终允许'],
  answered: ['Your answer was sent', 'Ihre Antwort wurde gesendet', '您的答复已发送'],

  changes: ['Changed tools', 'Geänderte Werkzeuge', '已更改的工具'],
  'changes-why': ['A server describes these tools in another way than when they were approved. What a tool says of itself steers the model that reads it.',
    'Ein Server beschreibt diese Werkzeuge anders als bei ihrer Freigabe. Was ein Werkzeug von sich sagt, lenkt das Modell, das es liest.',
    '服务器对这些工具的描述与批准时不同。工具的自我描述会影响读取它的模型。'],
  'change-of': ['{0} of {1}', '{0} von {1}', '{1} 的 {0}'],
  'change-new': ['new', 'neu', '新增'],
  'change-view': ['What has changed', 'Was sich geändert hat', '更改内容'],
  removed: ['removed:', 'entfernt:', '已移除：'],
  added: ['added:', 'hinzugefügt:', '已添加：'],
  'lines-same': ['{0} lines as before', '{0} Zeilen wie zuvor', '{0} 行未变'],
  approve: ['Approve', 'Freigeben', '批准'],
  approved: ['{0} is approved', '{0} ist freigegeben', '{0} 已批准'],

  'log-server': ['Server', 'Server', '服务器'],
  'log-level': ['Level', 'Stufe', '级别'],
  'log-search': ['Contains', 'Enthält', '包含'],
  'log-follow': ['Follow', 'Mitlaufen', '跟随'],
  'log-empty': ['Nothing is in the log that fits.', 'Im Protokoll steht nichts, das passt.', '日志中没有符合的内容。'],
  'level-info': ['Info', 'Hinweis', '信息'],
  'level-warning': ['Warning', 'Warnung', '警告'],
  'level-error': ['Error', 'Fehler', '错误'],
  'level-stderr': ['Output', 'Ausgabe', '输出'],
  all: ['All', 'Alle', '全部'],

  'audit-time': ['Time', 'Zeit', '时间'],
  'audit-host': ['Program', 'Programm', '程序'],
  'audit-server': ['Server', 'Server', '服务器'],
  'audit-tool': ['Tool', 'Werkzeug', '工具'],
  'audit-outcome': ['Outcome', 'Ausgang', '结果'],
  'audit-duration': ['Duration', 'Dauer', '用时'],
  'audit-more': ['More', 'Mehr', '更多'],
  'audit-since': ['Since', 'Seit', '自'],
  'audit-before': ['Before', 'Vor', '早于'],
  'audit-older': ['Show older calls', 'Ältere Aufrufe zeigen', '显示更早的调用'],
  'audit-refresh': ['Refresh', 'Aktualisieren', '刷新'],
  'audit-empty': ['There is no call that fits.', 'Es gibt keinen Aufruf, der passt.', '没有符合的调用。'],
  'audit-missing': ['This daemon does not show the audit.', 'Dieser Daemon zeigt die Aufrufe nicht.', '此守护进程不显示审计。'],
  'audit-caption': ['Calls, the newest first', 'Aufrufe, die neuesten zuerst', '调用，最新的在前'],
  'outcome-ok': ['Done', 'Erledigt', '完成'],
  'outcome-tool-error': ['Tool error', 'Werkzeugfehler', '工具错误'],
  'outcome-error': ['Failed', 'Fehlgeschlagen', '失败'],
  'outcome-refused': ['Refused', 'Verweigert', '被拒绝'],
  'outcome-cancelled': ['Cancelled', 'Abgebrochen', '已取消'],
  'outcome-timed-out': ['Timed out', 'Zeit überschritten', '超时'],
};

const LANGUAGES = ['en', 'de', 'zh'];

function choose() {
  for (const tag of navigator.languages?.length ? navigator.languages : [navigator.language || 'en']) {
    const found = LANGUAGES.indexOf(tag.toLowerCase().split('-')[0]);
    if (found >= 0)
      return found;
  }
  return 0;
}

const chosen = choose();

export const language = LANGUAGES[chosen];
export const locale = language === 'zh' ? 'zh-CN' : navigator.language?.startsWith(language) ? navigator.language : language;
export const hasText = key => key in TEXTS;

export function t(key, ...values) {
  const line = TEXTS[key];
  return line ? line[chosen].replace(/\{(\d)\}/g, (_, index) => visible(String(values[index]))) : key;
}

// Lines that lack a language, or a value that another has.
export function missing() {
  const values = text => (text.match(/\{\d\}/g) ?? []).sort().join();
  return Object.entries(TEXTS).filter(([, line]) =>
    line.length !== LANGUAGES.length || line.some(text => text === '' || values(text) !== values(line[0]))).map(([key]) => key);
}

// What is not in the table is shown as the daemon has it.
export const tOr = (key, other) => hasText(key) ? t(key) : other;
