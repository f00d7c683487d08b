// A process of tests: asks for one file after the other, and imports each after the tests of the one before.
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { configureGlobal } from 'fast-check'
import { exitMarker, fileMarker, finishedLine, nextRequest, progressFd } from './batch-protocol.mjs'

const { testTimeout, exitTimeout, seed } = JSON.parse(process.env.MODELWIRE_TEST_BATCH)
delete process.env.MODELWIRE_TEST_BATCH
// What tests load may send messages where it can: this channel is the runner's.
const parent = { send: process.send.bind(process), disconnect: process.disconnect.bind(process) }
delete process.send
const first = await nextFile()

// tap names its fixture folders after the main script, and processes running at the same time must not share them.
process.argv[1] = first.compiled
const { default: t } = await import('tap')
configureGlobal({ seed })

// The root's own limit of 30 s would end the whole batch; each test gets a limit instead.
t.setTimeout(0)
t.beforeEach((test) => {
  if (test.options.timeout === undefined) test.setTimeout(testTimeout)
})

// Without something alive, a promise that never settles would end the process before its test times out.
const keepAlive = setInterval(() => {}, 1000)
const leftOpen = new Map()

for (let file = first; file !== null; file = await nextFile()) await runFile(file)
parent.disconnect()

reportProgress(finishedLine)
process.on('exit', (code) => reportProgress(exitMarker + code))
clearInterval(keepAlive)
setTimeout(endAnyway, exitTimeout).unref()

/** Null when there are no more. */
async function nextFile() {
  const answer = once(process, 'message')
  parent.send(nextRequest)
  return (await answer)[0]
}

async function runFile(file) {
  const before = openHandles()
  // TAP may still be on its way when the process crashes; this line is not.
  reportProgress(file.source)
  t.comment(fileMarker + file.source)
  try {
    await import(pathToFileURL(file.compiled).href)
  } catch (error) {
    t.fail(`the file loads: ${error.message}`, error)
  }
  if (!t.idle) await once(t, 'idle')
  if (t.ended) {
    process.stderr.write(`${file.source} ended the root test: no plan, end, bailout or teardown at file level\n`)
    process.exit(1)
  }
  if (openHandles() > before) leftOpen.set(file.source, openHandles() - before)
}

/** One line: the CPU time of this process so far, in milliseconds, and what begins. */
function reportProgress(text) {
  const { user, system } = process.cpuUsage()
  writeSync(progressFd, `${Math.round((user + system) / 1000)} ${text}\n`)
}

function openHandles() {
  return process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap' && name !== 'Immediate').length
}

function endAnyway() {
  const suspects = [...leftOpen].map(([source, count]) => `  ${source}: ${count} more handles after its tests`)
  process.stderr.write(
    ['the process does not exit, something is left open:', process.getActiveResourcesInfo().join(', '), ...suspects]
      .join('\n')
      .concat('\n')
  )
  process.exit(1)
}
