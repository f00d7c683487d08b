import type { CallerLine, ReportLine } from '@modelwire/acl'
import t from 'tap'
import { printModel, printRules } from '#src/access/print-access.ts'
import { fakeTerminal } from '../fake-terminal.ts'

const line = (operation: string, callers: readonly CallerLine[]): ReportLine => ({
  model: 'Task',
  operation,
  endpoints: ['GET /organisations/:id/projects/:nk/tasks/:fk'],
  accessType: 'READ',
  open: 'rules',
  rules: [],
  callers
})

const denied: CallerLine = { caller: '$unauthenticated', answer: 'denied', rule: 'DENY $everyone' }
const member: CallerLine = {
  caller: '$authenticated',
  answer: 'some records',
  rule: 'ALLOW $authenticated',
  rows: { by: 'path', text: 'project.organisation.members' },
  fields: { read: { except: ['budget'] }, write: ['title', 'done'] }
}
const owner: CallerLine = {
  caller: '$owner',
  answer: 'some records',
  rule: 'ALLOW $owner',
  rows: { by: 'owner', text: '$owner' }
}
const clerk: CallerLine = {
  caller: 'clerk',
  answer: 'some properties',
  rule: 'ALLOW clerk',
  fields: { read: ['id'], write: ['id'] }
}
const byFunction: CallerLine = { ...owner, caller: 'auditor', rows: { by: 'function', text: 'ofRegion' } }

function printed(columns: number | undefined, print: typeof printRules, lines: readonly ReportLine[]): string[] {
  const terminal = { ...fakeTerminal(), columns }
  print(lines, terminal)
  return terminal.outText().split('\n')
}

const asModel: typeof printRules = (lines, terminal) => printModel('Task', lines, terminal)

t.test('cells refer to notes, which say what is left out', async (t) => {
  const lines = [line('find', [denied, member, owner]), line('prototype.patchAttributes', [denied, member, clerk])]
  t.strictSame(printed(undefined, asModel, lines), [
    'Task                                                              $unauthenticated  $authenticated  $owner    clerk',
    '  find             GET /organisations/:id/projects/:nk/tasks/:fk  no                some [1]        some [2]  some [1]',
    '  patchAttributes  GET /organisations/:id/projects/:nk/tasks/:fk  no                some [1]        some [1]  yes [3]',
    '  [1] records from which project.organisation.members leads to the caller; reads all except budget; sets title, done',
    '  [2] own records',
    '  [3] reads and sets id',
    ''
  ])
})

t.test('yes, some and no differ in colour, which changes no width', async (t) => {
  const painted = {
    ...fakeTerminal(),
    columns: 60,
    style: (style: unknown, text: string) => `<${String(style)}>${text}</>`
  }
  const lines = [line('find', [denied, member, owner]), line('count', [denied, { ...clerk, caller: '$owner' }])]
  printModel('Task', lines, painted)
  const [, first = '', second = ''] = painted.outText().split('\n')
  t.match(first, /find +<red>no<\/> +<magenta>some<\/> \[1\] +<magenta>some<\/> \[2\]$/)
  t.match(second, /count +<red>no<\/> .*<green>yes<\/> \[3\]$/)
  const plain = { ...fakeTerminal(), columns: 60 }
  printModel('Task', lines, plain)
  t.equal(painted.outText().replace(/<[^>]*>/g, ''), plain.outText())
})

t.test('a table that is too wide leaves out endpoints, and then numbers the callers', async (t) => {
  const few = printed(80, asModel, [line('find', [denied, member, owner])])
  t.match(few[0], /^Task +\$unauthenticated +\$authenticated +\$owner$/)
  t.match(few[1], /^ {2}find +no +some \[1\] +some \[2\]$/)
  const names = ['editor', 'controller', 'administrator', 'caretaker']
  const many = printed(80, asModel, [line('find', [denied, member, ...names.map((caller) => ({ ...owner, caller }))])])
  t.match(many[0], /^Task +1 +2 +3 +4 +5 +6$/)
  t.match(many.join('\n'), /^ {2}1=\$unauthenticated 2=\$authenticated 3=editor/m)
  for (const text of [...few, ...many]) t.ok(text.length <= 80, text)
})

t.test('rules are shown with what they keep their callers to', async (t) => {
  const lines = printed(60, printRules, [line('find', [denied, member, byFunction])])
  t.match(lines.join('\n'), /\$unauthenticated +denied +DENY \$everyone\n {2}\$auth/)
  const shown = lines.join(' ').replaceAll(/\s+/g, ' ')
  t.match(
    shown,
    'records from which project.organisation.members leads to the caller reads all except budget sets title, done'
  )
  t.match(shown, 'ALLOW $owner records by ofRegion')
  for (const text of lines) t.ok(text.length <= 60, text)
})
