import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findPrograms, programFolders } from '#src/cluster/find-programs.ts'

function folderWith(t: Test, ...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-programs-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 })
  return folder
}

t.test('what is missing is named, with the packages that have it', async (t) => {
  const folder = folderWith(t, 'initdb', 'postgres', 'pg_basebackup')
  t.strictSame(findPrograms([folder]), {
    missing: 'redis-server, haproxy not found. On Debian and Ubuntu: apt-get install redis-server haproxy'
  })
})

t.test('a package that has several of them is named once', async (t) => {
  const found = findPrograms([folderWith(t, 'redis-server', 'haproxy')])
  t.match(found, { missing: /^initdb, postgres, pg_basebackup not found\. .* install postgresql$/ })
})

t.test('the first folder that has a program counts', async (t) => {
  const all = ['initdb', 'postgres', 'pg_basebackup', 'redis-server', 'haproxy']
  const [some, every] = [folderWith(t, 'postgres'), folderWith(t, ...all)]
  t.match(findPrograms([some, every]), {
    programs: { postgres: join(some, 'postgres'), initdb: join(every, 'initdb') }
  })
})

t.test('a file that cannot be run is no program', async (t) => {
  const folder = folderWith(t)
  writeFileSync(join(folder, 'haproxy'), '', { mode: 0o644 })
  t.match(findPrograms([folder]), { missing: /haproxy/ })
})

t.test('a version of PostgreSQL can be chosen', async (t) => {
  t.equal(programFolders({ POSTGRESQL_BIN: '/opt/postgresql/bin', PATH: '/usr/bin' })[0], '/opt/postgresql/bin')
})
