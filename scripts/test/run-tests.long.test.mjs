import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { describeSlowest } from '../test-runner/print-report.mjs'

const runner = fileURLToPath(new URL('../run-tests.mjs', import.meta.url))

// `short` is only for what has to time out: the time a process needs to start counts, too.
const cases = [
  { name: 'counts the tests of all passing files', fixture: 'passing', code: 0, last: '3 passed, 0 failed' },
  {
    name: 'names the files and the CPU and the seconds that each took when it is asked for times',
    fixture: 'passing',
    env: { TEST_TIMES: '20' },
    code: 0,
    last: '3 passed, 0 failed',
    shows: [
      /^ +\d+\.\d s of CPU, +\d+\.\d s {2}scripts\/test\/first/m,
      /^ +\d+\.\d s of CPU, +\d+\.\d s {2}scripts\/test\/second/m
    ]
  },
  {
    name: 'runs only the files whose path contains a fragment',
    fixture: 'passing',
    fragments: ['nowhere', 'second'],
    code: 0,
    last: '1 passed, 0 failed',
    shows: [/^ok {3}1 files/m]
  },
  { name: 'leaves out the tests that take long', fixture: 'long', code: 0, last: '1 passed, 0 failed' },
  {
    name: 'runs the tests that take long, and no other, when asked to',
    fixture: 'long',
    flags: ['--long'],
    code: 0,
    last: '2 passed, 0 failed'
  },
  {
    name: 'runs a test that takes long when its path is named',
    fixture: 'long',
    fragments: ['soak'],
    code: 0,
    last: '2 passed, 0 failed'
  },
  {
    name: 'says which seed properties began with when it was asked for one',
    fixture: 'long',
    env: { TEST_SEED: '77' },
    code: 0,
    last: '1 passed, 0 failed',
    shows: [/properties began with TEST_SEED=77/]
  },
  {
    name: 'fails when there is nothing to run',
    fixture: 'passing',
    fragments: ['nowhere'],
    code: 1,
    last: '0 passed, 0 failed',
    shows: [/no test file found/]
  },
  {
    name: 'prints a failed assertion with its file, tests, diff and place',
    fixture: 'failing',
    code: 1,
    last: '1 passed, 2 failed',
    shows: [
      /FAIL scripts\/test\/failing\.test\.mjs > adds > inner > the person is Bob/,
      /- {2}"name": "Bob"/,
      /\+ {2}"name": "Ann"/,
      /failing\.test\.mjs:6:7/,
      /FAIL scripts\/test\/failing\.test\.mjs > throws > this is wrong/
    ]
  },
  {
    name: 'fails when a process crashes, names the file at fault, and runs those after it in another process',
    fixture: 'crashing',
    code: 1,
    last: '2 passed, 1 failed',
    shows: [/crashed with SIGKILL in scripts\/test\/b-crash/, / {2}scripts\/test\/a-before/]
  },
  {
    name: 'fails when a test ends the process as if all were well',
    fixture: 'exiting',
    code: 1,
    last: '0 passed, 1 failed',
    shows: [/ended early with exit code \d in scripts\/test\/exiting/]
  },
  {
    name: 'fails a test that never settles and runs the next one',
    fixture: 'hanging-test',
    short: true,
    code: 1,
    last: '1 passed, 1 failed',
    shows: [/FAIL scripts\/test\/hanging\.test\.mjs > waits forever > timeout!/]
  },
  {
    name: 'kills a process that says nothing for too long',
    fixture: 'hanging-process',
    short: true,
    code: 1,
    last: '0 passed, 1 failed',
    shows: [/killed because it hung in scripts\/test\/looping/]
  },
  {
    name: 'fails when a file leaves a handle open that keeps the process alive',
    fixture: 'left-open',
    short: true,
    code: 1,
    last: '1 passed, 1 failed',
    shows: [/TCPServerWrap/, /scripts\/test\/server\.test\.mjs: 1 more handles/]
  },
  {
    name: 'kills a process that does not end after its last exit handler, and says so',
    fixture: 'stuck',
    short: true,
    code: 0,
    last: '1 passed, 0 failed',
    shows: [/Node did not end the process/]
  },
  {
    name: 'lists skipped tests by name with their reason and does not count them as passed',
    fixture: 'skipped',
    code: 0,
    last: '1 passed, 0 failed, 2 skipped',
    shows: [/skipped\.test\.mjs > runs > a part \(needs a browser\)/, /> whole test \(no database here\)/]
  },
  {
    name: 'fails a file without a test',
    fixture: 'no-tests',
    code: 1,
    last: '0 passed, 1 failed',
    shows: [/empty\.test\.mjs: no test in this file/]
  },
  {
    name: 'fails a file that does not load',
    fixture: 'not-loading',
    code: 1,
    last: '0 passed, 1 failed',
    shows: [/not-loading\.test\.mjs > the file loads: Cannot find module/]
  },
  {
    name: 'fails a file that ends the test shared by the files after it, which run in another process',
    fixture: 'root-ended',
    code: 1,
    last: '2 passed, 1 failed',
    shows: [/a-ending\.test\.mjs ended the root test/]
  }
]

for (const { name, fixture, flags = [], fragments = [], short = false, env = {}, code, last, shows = [] } of cases) {
  t.test(name, async (t) => {
    const root = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url))
    const run = await runRunner(['--root', root, ...flags, ...fragments], {
      ...env,
      ...(short && { TEST_TIMEOUT: '2000' })
    })
    t.equal(run.stdout.trimEnd().split('\n').at(-1), last)
    t.equal(run.code, code)
    for (const pattern of shows) t.match(run.stdout, pattern)
  })
}

t.test('properties draw alike in every run, and other cases with another seed', async (t) => {
  const root = fileURLToPath(new URL('fixtures/seeded', import.meta.url))
  const draw = async (env) => {
    const { stdout } = await runRunner(['--root', root], env)
    return /drew \d+/.exec(stdout)?.[0]
  }
  const drawn = await draw({})
  t.type(drawn, 'string')
  t.equal(await draw({}), drawn)
  t.not(await draw({ TEST_SEED: '77' }), drawn)
})

t.test('the files that took most CPU are listed, that of the most first, whatever batch they were in', (t) => {
  const fileOf = (cpu) => ({ source: `${cpu}.test.ts`, cpu, seconds: 2 * cpu })
  const batches = [{ times: Array.from({ length: 15 }, (_, at) => fileOf(at)) }, { times: [fileOf(7.5), fileOf(99.5)] }]
  const lines = describeSlowest([...batches, { times: Array.from({ length: 9 }, (_, at) => fileOf(100 + at)) }], 20)
  const listed = lines.split('\n').map((line) => line.trim())
  t.equal(listed.length, 20)
  t.strictSame(listed.slice(8, 12), [
    '100.0 s of CPU, 200.0 s  100.test.ts',
    '99.5 s of CPU, 199.0 s  99.5.test.ts',
    '14.0 s of CPU,  28.0 s  14.test.ts',
    '13.0 s of CPU,  26.0 s  13.test.ts'
  ])
  t.equal(listed[17], '7.5 s of CPU,  15.0 s  7.5.test.ts')
  t.end()
})

function runRunner(args, env) {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, TEST_JOBS: '1', ...env } }
    execFile(process.execPath, [runner, ...args], options, (error, stdout) => {
      resolve({ code: error === null ? 0 : error.code, stdout })
    })
  })
}
