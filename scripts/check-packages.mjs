// Looks at the packages as npm would get them: pnpm check:packages [--smoke-only]
// Packs every package that is not private, lets publint and attw judge each tarball, then installs the tarballs of a
// small server into an empty project and runs scripts/packed-smoke.mjs there.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const smokePackages = ['@modelwire/core', '@modelwire/connector-memory', '@modelwire/rest', '@modelwire/relations']
const smokeOnly = process.argv.includes('--smoke-only')

const folder = mkdtempSync(join(tmpdir(), 'modelwire-packages-'))
try {
  const packed = await packAll(publishedPackages())
  const problems = smokeOnly ? [] : (await Promise.all(packed.map(findProblems))).flat()
  problems.push(...(await smokeProblems(packed)))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function publishedPackages() {
  return readdirSync('packages')
    .map((name) => ({ path: resolve('packages', name), manifest: readManifest(join('packages', name)) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ path, manifest }) => ({ path, name: manifest.name }))
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

// One after the other: a pack is quick, and pnpm locks its store.
async function packAll(packages) {
  const packed = []
  for (const { path, name } of packages) {
    const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}.tgz`)
    await run('pnpm', ['pack', '--out', tarball], { cwd: path })
    packed.push({ name, tarball })
  }
  return packed
}

async function findProblems({ name, tarball }) {
  const found = [
    ...(await contentProblems(tarball)),
    ...(await toolProblems('publint', [tarball, '--strict'])),
    ...(await toolProblems('attw', [tarball, '--profile', 'esm-only', '--no-emoji']))
  ]
  console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${name}: contents, publint, attw`)
  return found.map((problem) => `${name}: ${problem}`)
}

async function contentProblems(tarball) {
  const { stdout: list } = await run('tar', ['-tzf', tarball])
  const { stdout: manifest } = await run('tar', ['-xzOf', tarball, 'package/package.json'])
  const files = list.split('\n')
  const entry = JSON.parse(manifest).exports?.['.'] ?? { types: './dist/index.d.ts', default: './dist/index.js' }
  const entries = Object.values(entry).map((path) => path.replace(/^\./, 'package'))
  const missing = ['package/LICENSE', 'package/README.md', ...entries]
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is missing`)
  const unwanted = files
    .filter((file) => /tsbuildinfo|\/test\/|dist-test/.test(file))
    .map((file) => `${file} is too much`)
  const unresolved = /"(workspace|catalog):/.test(manifest) ? ['package.json still has workspace: or catalog:'] : []
  return [...missing, ...unwanted, ...unresolved]
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
  const fastify = readManifest('packages/core/node_modules/fastify').version
  return { private: true, type: 'module', dependencies: { ...own, fastify }, overrides: own }
}
