// Looks at the packages as npm would get them: node scripts/check-packages.mjs [--smoke-only], after `pnpm pack:all`
// Makes a tarball of every package that is not private, lets publint and attw judge each, and prints its size and its files. Then
// installs those of a small server into an empty project and runs scripts/packed-smoke.mjs there.
// Both are called as libraries: attw loads TypeScript, once for all packages.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { listPackages, packedFolder } from './build/packed.mjs'

const run = promisify(execFile)
const smokePackages = [
  '@modelwire/server',
  '@modelwire/core',
  '@modelwire/connector-memory',
  '@modelwire/rest',
  '@modelwire/relations'
]
const smokeOnly = process.argv.includes('--smoke-only')
/** A package is a few doors, what they share, and pages for readers. */
const most = { files: 40, size: 320_000 }
/** Packages are ESM alone: what only `require` and resolution without `exports` would find wrong is none of theirs. */
const ignoredResolutions = ['node10', 'node16-cjs']

const folder = mkdtempSync(join(tmpdir(), 'modelwire-packages-'))
try {
  const packed = await packAll(listNames())
  const problems = smokeOnly ? [] : await inTurn(packed, findProblems)
  problems.push(...(await smokeProblems(packed)))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function listNames() {
  const published = listPackages().filter(({ manifest }) => manifest.private !== true)
  const names = published.map(({ manifest }) => manifest.name)
  return smokeOnly ? names.filter((name) => smokePackages.includes(name)) : names
}

/** One process of npm for all, on copies without `node_modules`: npm would follow all that it links to. */
async function packAll(names) {
  const copies = names.map((name) => join(folder, 'packages', name))
  names.forEach((name, at) => cpSync(packedFolder(name), copies[at], { recursive: true, filter: isPacked }))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...copies]
  const { stdout } = await run('npm', args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout).map(({ name, filename, size, files }) => ({
    name,
    tarball: join(folder, filename),
    size,
    files: files.map(({ path }) => path)
  }))
}

function isPacked(path) {
  return basename(path) !== 'node_modules'
}

/** One after the other: the results are printed as they come. */
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
    ...(await publintProblems(tarball)),
    ...(await typeProblems(tarball))
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

async function publintProblems(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) }
  const { messages, pkg } = await publint({ pack, strict: true })
  return messages
    .filter(({ type }) => type === 'error')
    .map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function typeProblems(tarball) {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (types === false) return ['attw: there are no types']
  return problems
    .filter(({ resolutionKind }) => !ignoredResolutions.includes(resolutionKind))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
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
