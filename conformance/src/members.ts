import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { examineOwn } from './examine-own.ts'
import { leftOut } from './left-out-members.ts'
import { type Examined, listMembers, type Members, missingMembers, objectsOf } from './list-members.ts'

type MakeApp = (() => Record<string, (...args: unknown[]) => unknown>) & Record<string, (...args: unknown[]) => unknown>

/** Makes an application of the LoopBack that is installed in a folder. */
function examineLoopBack(folder: string): Examined {
  const loopback = createRequire(join(resolve(folder), 'package.json'))('loopback') as MakeApp // its module is a function
  const app = loopback()
  app['dataSource']?.('db', { connector: 'memory' })
  const model = loopback['createModel']?.('Thing', { label: 'string' })
  app['model']?.(model, { dataSource: 'db' })
  return { loopback, app, model: 'Thing' }
}

function tell(title: string, members: Members): void {
  console.log(title)
  for (const [object, names] of Object.entries(members)) console.log(`  ${object}: ${names.join(', ')}`)
}

const withoutLeftOut = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([object, names]) => {
      return [object, names.filter((name) => !leftOut(object, name))] as const
    })
  )

/** Prints the members of a real LoopBack that are missing here; `--list` prints all of them, as `members.json` keeps them. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { loopback: { type: 'string' }, list: { type: 'boolean' } } })
  if (values.loopback === undefined) throw new Error('name the folder that LoopBack is installed in: --loopback DIR')
  const real = listMembers(examineLoopBack(values.loopback))
  if (values.list === true) {
    console.log(JSON.stringify(withoutLeftOut(real), undefined, 2))
    return
  }
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-members-'))
  try {
    await examineOwn(dir, async (own) => {
      const missing = missingMembers(withoutLeftOut(real), objectsOf(own))
      tell(Object.keys(missing).length === 0 ? 'no member is missing' : 'missing members', missing)
      if (Object.keys(missing).length > 0) process.exitCode = 1
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

await main()
