import t from 'tap'
import { unusualLines } from '#src/scripts/note-server-script.ts'
import { bootApp, notesOf } from '../make-app.ts'

const generated = `// Copyright
'use strict';

var loopback = require('loopback');
var boot = require('loopback-boot');

var app = module.exports = loopback();

app.start = function() {
  // start the web server
  return app.listen(function() {
    app.emit('started');
    var baseUrl = app.get('url').replace(/\\/$/, '');
    console.log('Web server listening at: %s', baseUrl);
    if (app.get('loopback-component-explorer')) {
      var explorerPath = app.get('loopback-component-explorer').mountPath;
      console.log('Browse your REST API at %s%s', baseUrl, explorerPath);
    }
  });
};

/* Bootstrap the application,
   configure models */
boot(app, __dirname, function(err) {
  if (err) throw err;

  // start the server if \`$ node server.js\`
  if (require.main === module)
    app.start();
});
`

const modern = `const loopback = require('loopback')
const boot = require('loopback-boot')
const app = loopback()
module.exports = app
app.start = () => {
  return app.listen(() => {
    app.emit('started')
    const baseUrl = app.get('url').replace(/\\/$/, '')
    console.log(\`Web server listening at: \${baseUrl}\`)
  })
}
boot(app, __dirname, err => {
  if (err) throw err
  if (require.main === module) {
    app.start()
  }
})
`

void t.test('the usual start is nothing to tell', async (t) => {
  for (const source of [generated, modern]) t.strictSame(unusualLines(source), [])
  t.strictSame(notesOf(await bootApp(t, { 'server/server.js': generated })), [])
})

void t.test('everything else is, with its lines', async (t) => {
  const source = generated
    .replace("'use strict';", "'use strict';\nconst morgan = require('morgan')")
    .replace('app.start = ', "app.use(morgan('dev'));\napp.start = ")
  t.strictSame(unusualLines(source), [
    { number: 3, text: "const morgan = require('morgan')" },
    { number: 10, text: "app.use(morgan('dev'))" }
  ])
  t.match(notesOf(await bootApp(t, { 'server/server.js': source })), [
    /server\/server\.js: this file is not run.*line 3, line 10/
  ])
})
