'use strict';

// Rooms are not deleted by these names, and the list of methods is shown outside of the API.
module.exports = function(app) {
  var Room = app.models.Room;

  Room.disableRemoteMethodByName('upsertWithWhere');

  app.get('/methods', function(req, res) {
    var names = Room.sharedClass.methods().map(function(method) { return method.stringName; });
    res.json(names.filter(function(name) { return !/ChangeStream/.test(name); }).sort());
  });

  app.get('/doors/:id', function(req, res, next) {
    Room.findById(req.params.id, function(err, room) {
      if (err) return next(err);
      if (!room) return res.status(404).send('no door');
      res.redirect(app.get('restApiRoot') + '/Rooms/' + room.id);
    });
  });
};
