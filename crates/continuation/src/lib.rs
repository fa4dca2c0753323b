//! Where do the solutions of F(u) = 0 go when a parameter varies? Curves by pseudo-arclength, and the special points on them.
