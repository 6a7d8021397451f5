// A straight wing of NACA 0012 section in the middle of a box: tetrahedra graded from `near` at the
// wing to `far` at `reach` from it. Lengths in chords. Called by make-wing.sh.
DefineConstant[ near = {0.14}, far = {0.7}, reach = {3} ];
span = 0.5; // half of it
upstream = 3;
downstream = 3;
side = 3;
depth = 2.5;

// The thickness of the section (Abbott and von Doenhoff: "Theory of wing sections", 6.1), the last
// coefficient -0.1036 so that the trailing edge closes.
steps = 20;
For i In {0 : steps}
    x = (1 + Cos(Pi * i / steps)) / 2;
    y = 0.6 * (0.2969 * Sqrt(x) - 0.1260 * x - 0.3516 * x^2 + 0.2843 * x^3 - 0.1036 * x^4);
    Point(1 + i) = {x, i == 0 ? 0 : y, -span};
    If(i > 0 && i < steps)
        Point(1 + 2 * steps - i) = {x, -y, -span};
    EndIf
EndFor
Spline(1) = {1 : steps + 1};
Spline(2) = {steps + 1 : 2 * steps, 1};
upper[] = Extrude {0, 0, 2 * span} { Curve{1}; };
lower[] = Extrude {0, 0, 2 * span} { Curve{2}; };
Curve Loop(1000) = {upper[0], lower[0]};
Plane Surface(1000) = {1000}; // the tips
Curve Loop(1001) = {1, 2};
Plane Surface(1001) = {1001};

// The box.
Point(2001) = {-upstream, -side, -depth};
Point(2002) = {1 + downstream, -side, -depth};
Point(2003) = {1 + downstream, side, -depth};
Point(2004) = {-upstream, side, -depth};
Line(2001) = {2001, 2002};
Line(2002) = {2002, 2003};
Line(2003) = {2003, 2004};
Line(2004) = {2004, 2001};
walls[] = {};
For i In {1 : 4}
    wall[] = Extrude {0, 0, 2 * depth} { Curve{2000 + i}; };
    walls[] += wall[1];
    tops[] += wall[0];
EndFor
Curve Loop(2001) = {2001 : 2004};
Plane Surface(2001) = {2001};
Curve Loop(2002) = {tops[]};
Plane Surface(2002) = {2002};
Surface Loop(1) = {2001, 2002, walls[], upper[1], lower[1], 1000, 1001};
Volume(1) = {1};

Field[1] = Distance;
Field[1].FacesList = {upper[1], lower[1], 1000, 1001};
Field[1].NNodesByEdge = 60;
Field[2] = Threshold;
Field[2].IField = 1;
Field[2].LcMin = near;
Field[2].LcMax = far;
Field[2].DistMin = 0;
Field[2].DistMax = reach;
Background Field = 2;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthFromCurvature = 0;
Mesh.Algorithm = 6;   // frontal Delaunay
Mesh.Algorithm3D = 1; // Delaunay
Mesh.RandomSeed = 1;
Mesh.MshFileVersion = 2.2;
