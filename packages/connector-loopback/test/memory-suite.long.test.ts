import { connectorTests, type RunCase } from '@modelwire/connector-tests'
import t from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

const differences: Readonly<Record<string, RunCase>> = {}

void t.test("LoopBack's memory connector passes the suite", (t) =>
  connectorTests(t, {
    name: 'loopback memory',
    create: () => loopback(loadModule('loopback-datasource-juggler/lib/connectors/memory'), { name: 'db' }),
    differences
  })
)
