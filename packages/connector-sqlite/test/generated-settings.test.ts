import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import t from 'tap'

void t.test('empty settings, as generated files have them, do not win over the name of the file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const named = { host: '', port: 0, user: '', password: '' }
  for (const [at, settings] of [
    { file: join(folder, '0.db'), url: '', database: '' },
    { file: '', url: '', database: join(folder, '1.db') },
    { file: null, url: `sqlite://${join(folder, '2.db')}`, database: '' }
  ].entries()) {
    const connector = sqlite({ ...named, ...settings })
    await connector.connect?.()
    await connector.disconnect?.()
    t.ok((await stat(join(folder, `${at}.db`))).isFile())
  }
})
