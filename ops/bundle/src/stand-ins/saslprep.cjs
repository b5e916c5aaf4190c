/** Printable ASCII is what RFC 4013 makes of itself, so the tables (2 MB in memory) are loaded for other passwords only. */
exports.saslprep = (password) =>
  /^[\x20-\x7e]*$/.test(password) ? password : require('@mongodb-js/saslprep').saslprep(password)
