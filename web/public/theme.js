// Runs before the first paint: sets the theme the user chose, so that a dark page never flashes white.
// Kept out of the bundle because a module runs too late, and out of the HTML because of the CSP.
try {
  var theme = JSON.parse(localStorage.getItem("sightline.settings") || "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch (error) {
  // Storage may be refused (private mode, a sandboxed frame): the system's theme is used.
}
