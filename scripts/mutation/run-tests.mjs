import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const timeout = 120_000

/**
 * Runs test files in one process, up to the first failure, with one mutant or none.
 * @param {string} root
 * @param {string} plan file with all mutants
 * @param {string[]} files
 * @param {number} [mutant] its id
 * @returns {Promise<{ passed: boolean, seconds: number, hits: number[] }>} the mutants that the tests came by, where none is active
 */
export async function runTests(root, plan, files, mutant) {
  const begin = Date.now()
  const hits = join(dirname(plan), randomUUID())
  const preload = pathToFileURL(join(root, 'scripts', 'mutation', 'preload.mjs')).href
  // Properties try the same with every mutant.
  const begins = `(await import('fast-check')).configureGlobal({ seed: 1 })`
  const imports = files.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)})`)
  const script = [begins, ...imports].join('\n')
  const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '--eval', script], {
    cwd: root,
    env: {
      ...process.env,
      TAP_BAIL: '1',
      TAP_TIMEOUT: String(timeout / 1000),
      MUTANTS: plan,
      ...(mutant === undefined ? { MUTANT_HITS: hits } : { MUTANT: String(mutant) })
    },
    stdio: 'ignore'
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  const passed = code === 0
  return {
    passed,
    seconds: (Date.now() - begin) / 1000,
    hits: passed && mutant === undefined ? JSON.parse(readFileSync(hits, 'utf8')) : []
  }
}
