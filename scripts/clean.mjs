// Deletes everything the build made, so that nothing of a file that is gone from the sources is left to publish.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { listProjects } from './build/list-projects.mjs'

const outputs = ['.packed', '.types', ...listProjects('.').flatMap((project) => outputsOf(project))]
for (const output of outputs) rmSync(output, { recursive: true, force: true })

function outputsOf(project) {
  return ['dist', 'dist-test', '.types'].map((folder) => join(project, folder))
}
