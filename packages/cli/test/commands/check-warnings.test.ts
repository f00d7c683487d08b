import type { Examination, Finding } from '#src/check/index.ts'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

async function checkOf(dir: string): Promise<readonly Finding[]> {
  const terminal = fakeTerminal()
  await run(['check', dir, '--json'], terminal)
  return (JSON.parse(terminal.outText()) as Examination).findings // printed as it is
}

t.test('check tells what the log of a start is warned of', async (t) => {
  const open = makeFolder(t, {
    ...noteApp,
    'server/config.json': { restApiRoot: '/api', remoting: { rest: { jsonp: true } } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Note: { dataSource: 'db', public: true },
      Badge: { dataSource: 'db', public: true }
    },
    'common/models/badge.json': { name: 'Badge', base: 'Role', acls: [] }
  })
  const found = await checkOf(open)
  for (const reason of [/everybody may write Badge/, /JSONP is enabled/])
    t.match(
      found.filter((finding) => reason.test(finding.reason)),
      [{ effect: 'info', file: 'server' }],
      String(reason)
    )
  const closed = JSON.stringify(await checkOf(makeFolder(t)))
  t.notMatch(closed, 'everybody may write', 'of what an application does not have there is no warning')
})
