import t from 'tap'
import { hostRules, postgresqlConfig, standbyConfig, synchronousStandby } from '#src/cluster/postgresql-config.ts'

t.test('a server listens at this machine alone, and keeps its socket to itself', async (t) => {
  const config = postgresqlConfig({ port: 9111, socketFolder: '/data/cluster' })
  t.match(config, /^listen_addresses = '127\.0\.0\.1'$/m)
  t.match(config, /^port = 9111$/m)
  t.match(config, /^unix_socket_directories = '\/data\/cluster'$/m)
})

t.test('it may be copied, and may copy', async (t) => {
  const config = postgresqlConfig({ port: 1, socketFolder: '/' })
  t.match(config, /^wal_level = replica$/m)
  t.match(config, /^hot_standby = on$/m)
})

t.test('no other machine may connect', async (t) => {
  const places = hostRules.split('\n').flatMap((line) => /^host\s+\S+\s+\S+\s+(\S+)/.exec(line)?.[1] ?? [])
  t.strictSame([...new Set(places)], ['127.0.0.1/32'])
})

t.test('a standby says who it is, so that commits can wait for it by name', async (t) => {
  t.match(standbyConfig(9111, 'postgresql2'), /port=9111 .*application_name=postgresql2/)
  t.equal(synchronousStandby('postgresql2'), `alter system set synchronous_standby_names = '"postgresql2"'`)
})

t.test('without a standby commits wait for none', async (t) => {
  t.equal(synchronousStandby(undefined), "alter system set synchronous_standby_names = ''")
})
