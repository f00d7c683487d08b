// Deletes everything the build made, so that a file deleted from the sources leaves no compiled copy to publish.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const nested = ['packages', 'examples'].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))

for (const project of [...nested, 'conformance', 'bench']) {
  for (const output of ['dist', 'dist-test']) rmSync(join(project, output), { recursive: true, force: true })
}
