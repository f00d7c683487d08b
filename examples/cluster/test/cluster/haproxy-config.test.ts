import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { haproxyConfig } from '#src/cluster/haproxy-config.ts'
import { portsFrom } from '#src/cluster/ports.ts'

const config = haproxyConfig(portsFrom(9100))

t.test('each process is a server, which is asked at its own port whether it is ready', async (t) => {
  const servers = [...config.matchAll(/^ {2}server (\w+) (\S+) check port (\d+)$/gm)].map((match) => match.slice(1))
  t.strictSame(servers, [
    ['process1', '127.0.0.1:9102', '9106'],
    ['process2', '127.0.0.1:9103', '9107'],
    ['process3', '127.0.0.1:9104', '9108']
  ])
  t.match(config, 'http-check send meth GET uri /ready')
})

t.test('nothing that may have been carried out is sent again', async (t) => {
  t.strictSame(config.match(/retry-on .*/g), ['retry-on conn-failure'])
})

t.test('it listens at this machine alone', async (t) => {
  const addresses = [...config.matchAll(/^ {2}bind (\S+)$/gm)].map(([, address]) => address)
  t.strictSame(addresses, ['127.0.0.1:9100', '127.0.0.1:9101'])
})

const skip = spawnSync('haproxy', ['-v']).status !== 0 && 'needs haproxy'

function check(t: Test, text: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-haproxy-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  t.equal(status, 0, stdout + stderr)
  t.notMatch(stderr, 'WARNING')
}

t.test('HAProxy accepts it without a warning', { skip }, async (t) => check(t, config))

t.test('HAProxy accepts that of containers as well', { skip }, async (t) => {
  check(t, readFileSync(new URL('../../container/haproxy.cfg', import.meta.url), 'utf8'))
})
