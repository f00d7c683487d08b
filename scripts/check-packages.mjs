// Looks at the packages as npm would get them: node scripts/check-packages.mjs [--smoke-only], after `pnpm pack:all`
// Makes a tarball of every package that is not private, lets publint and attw judge each, and prints its size and its files. Then
// installs those of a small server into an empty project and runs scripts/packed-smoke.mjs there.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listPackages, packedFolder } from './build/packed.mjs'

const run = promisify(execFile)
const smokePackages = ['@modelwire/core', '@modelwire/connector-memory', '@modelwire/rest', '@modelwire/relations']
const smokeOnly = process.argv.includes('--smoke-only')
/** A package is a few doors, what they share, and pages for readers. */
const most = { files: 30, size: 320_000 }

const folder = mkdtempSync(join(tmpdir(), 'modelwire-packages-'))
try {
  const packed = await Promise.all(
    listPackages()
      .filter(({ manifest }) => manifest.private !== true)
      .map(packOne)
  )
  const problems = smokeOnly ? [] : await inTurn(packed, findProblems)
  problems.push(...(await smokeProblems(packed)))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function packOne({ manifest: { name } }) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: packedFolder(name) })
  const [{ filename, size, files }] = JSON.parse(stdout)
  return { name, tarball: join(folder, filename), size, files: files.map(({ path }) => path) }
}

/** One after the other: attw takes both cores. */
async function inTurn(items, work) {
  const results = []
  for (const item of items) results.push(await work(item))
  return results.flat()
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

async function findProblems({ name, tarball, size, files }) {
  const found = [
    ...contentProblems(name, files),
    ...(files.length > most.files ? [`${files.length} files are more than ${most.files}`] : []),
    ...(size > most.size ? [`${size} bytes are more than ${most.size}`] : []),
    ...(await toolProblems('publint', [tarball, '--strict'])),
    ...(await toolProblems('attw', [tarball, '--profile', 'esm-only', '--no-emoji']))
  ]
  const state = found.length === 0 ? 'ok  ' : 'FAIL'
  console.log(
    `${state} ${name.padEnd(34)} ${String(files.length).padStart(3)} files ${String(Math.ceil(size / 1000)).padStart(4)} kB`
  )
  return found.map((problem) => `${name}: ${problem}`)
}

function contentProblems(name, files) {
  const manifest = readFileSync(join(packedFolder(name), 'package.json'), 'utf8')
  const { exports = {} } = JSON.parse(manifest)
  const entries = Object.values(exports).flatMap((door) => (typeof door === 'string' ? [door] : Object.values(door)))
  const missing = ['LICENSE', 'README.md', ...entries.map((path) => path.replace(/^\.\//, ''))]
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is missing`)
  return /"(workspace|catalog):|@modelwire\/source/.test(manifest)
    ? [...missing, 'package.json is that of the repository']
    : missing
}

async function toolProblems(tool, args) {
  try {
    await run(tool, args)
    return []
  } catch (error) {
    return [`${tool}: ${error.stdout}${error.stderr}`]
  }
}

async function smokeProblems(packed) {
  const tarballs = packed.filter(({ name }) => smokePackages.includes(name))
  const project = mkdtempSync(join(folder, 'smoke-'))
  writeFileSync(join(project, 'package.json'), JSON.stringify(smokeManifest(tarballs)))
  copyFileSync('scripts/packed-smoke.mjs', join(project, 'packed-smoke.mjs'))
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: project })
    const { stdout } = await run(process.execPath, ['packed-smoke.mjs'], { cwd: project, timeout: 60_000 })
    console.log(stdout.trimEnd())
    return []
  } catch (error) {
    return [`packed smoke: ${error.message}\n${error.stdout}${error.stderr}`]
  }
}

// The overrides keep npm from asking its registry for versions that are only published later.
function smokeManifest(tarballs) {
  const own = Object.fromEntries(tarballs.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const fastify = readManifest('node_modules/fastify').version
  return { private: true, type: 'module', dependencies: { ...own, fastify }, overrides: own }
}
