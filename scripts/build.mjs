// Makes the clone ready to run: node scripts/build.mjs [project]
// Installs packages and writes the JavaScript of sources that changed. With a project, such as examples/shop, only what running
// it needs. Types are checked elsewhere (pnpm types).
import { fileURLToPath } from 'node:url'
import { installAll, installFor } from './build/install.mjs'
import { transpile } from './build/transpile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [project] = process.argv.slice(2)

const projects = project === undefined ? installAll(root) : installFor(root, project)
const begin = performance.now()
const { written, problems } = await transpile(root, projects)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
if (written > 0) console.log(`Transpiled ${written} files in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
