// Stands in for every style sheet in tests: jsdom lays nothing out.
export {}
