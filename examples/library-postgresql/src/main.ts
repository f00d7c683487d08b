import { findDatabase } from './find-database.ts'
import { startLibrary } from './start-library.ts'

const { PROJECT_PORT = '3000', FOLDER_PORT = '3001', LIBRARY_DATABASE = 'modelwire_library' } = process.env
/** What has to be ended, the last one first. */
const running: (() => Promise<void>)[] = []

async function stop(): Promise<void> {
  for (const end of running.toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => void stop())
}

try {
  const database = await findDatabase(LIBRARY_DATABASE)
  running.push(database.stop)
  const { project, folder, steps, close } = await startLibrary(database.url)
  running.push(close)
  console.log(
    `Database ${LIBRARY_DATABASE} at ${new URL(database.url).host}${database.isTemporary ? ', until this program ends' : ''}`
  )
  console.log(steps.length === 0 ? 'Tables and records are there' : steps.map((step) => `  ${step}`).join('\n'))
  const host = '127.0.0.1'
  console.log(`TypeBox project:    ${await project.listen({ host, port: Number(PROJECT_PORT) })}/api/Books`)
  console.log(`Application folder: ${await folder.listen({ host, port: Number(FOLDER_PORT) })}/api/Books`)
} catch (error) {
  console.error(`The library cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  await stop()
}
